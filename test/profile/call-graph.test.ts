import { describe, expect, it } from 'vitest';
import { callGraph } from '../../src/profile/call-graph.ts';
import { profileOf } from '../support/profile-of.ts';

function graphOf(stacks: Readonly<Record<string, number>>, limits: object = {}) {
  const graph = callGraph(profileOf(stacks).tree, { measure: 'bytes', ...limits });
  const name = (index: number) => graph.nodes[index]?.name;
  return {
    ...graph,
    boxes: graph.nodes.map((node) => [node.name, node.selfAmount, node.totalAmount]),
    arrows: graph.edges.map(({ from, to, amount }) => `${name(from)} > ${name(to)} ${amount}`),
  };
}

describe('a call graph', () => {
  it('adds up what ends in a function, what passes through it, and what it passes on', () => {
    const { boxes, arrows, totalAmount } = graphOf({ 'a;b': 10, 'a;c;b': 20, 'a;c': 5 });
    expect(totalAmount).toBe(35);
    expect(boxes).toEqual([
      ['a', 0, 35],
      ['b', 30, 30],
      ['c', 5, 25],
    ]);
    expect(arrows).toEqual(['a > c 25', 'c > b 20', 'a > b 10']);
  });

  it('counts recursion once, in boxes and on edges', () => {
    const { boxes, arrows } = graphOf({ 'a;b;a;b': 8 });
    expect(boxes).toEqual([
      ['a', 0, 8],
      ['b', 8, 8],
    ]);
    expect(arrows).toEqual(['a > b 8', 'b > a 8']);
  });

  it('shows a function that calls itself', () => {
    expect(graphOf({ 'a;a;a': 3 }).arrows).toEqual(['a > a 3']);
  });

  it('leaves out what is small, and says how much of it', () => {
    const { boxes, arrows, droppedNodeCount, droppedEdgeCount } = graphOf({
      'main;large': 100_000,
      'main;small': 10,
    });
    expect(boxes.map(([name]) => name)).toEqual(['main', 'large']);
    expect(arrows).toEqual(['main > large 100000']);
    expect([droppedNodeCount, droppedEdgeCount]).toEqual([1, 1]);
  });

  it('has no more boxes than are asked for, the largest first', () => {
    const stacks = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`f${index}`, 1000 + index]),
    );
    expect(graphOf(stacks).boxes).toHaveLength(80);
    expect(graphOf(stacks, { maxNodes: 2 }).boxes.map(([name]) => name)).toEqual(['f199', 'f198']);
  });

  it('is nothing for a profile of nothing', () => {
    expect(graphOf({})).toMatchObject({ boxes: [], arrows: [], totalAmount: 0 });
  });

  it('survives stacks of 20,000 frames', () => {
    const stack = Array.from({ length: 20_000 }, (_, index) => `f${index % 50}`).join(';');
    expect(graphOf({ [stack]: 1 }).boxes).toHaveLength(50);
  });
});
