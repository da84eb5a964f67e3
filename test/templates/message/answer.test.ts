import { describe, expect, it } from 'vitest';
import { type Answer, answerMessage } from '../../../templates/message/answer.ts';
import { actions, context, section } from '../../../templates/message/blocks.ts';
import { askButton } from '../../../templates/message/buttons.ts';

const answer = (changes: Partial<Answer> = {}): Answer => ({
  investigationId: 'k7f2m9qd',
  finding: 'Query 8678d8fe held 3.20 GiB at its peak.',
  head: [section('finding')],
  tail: [context('investigation k7f2m9qd')],
  pictures: [],
  pendingCount: 0,
  remarks: [],
  attachedTo: [],
  ...changes,
});

const types = (changes: Partial<Answer>) =>
  answerMessage(answer(changes)).blocks.map(({ type }) => type);

describe('the message of an answer', () => {
  it('has the finding first, then pictures, then what the job put below them', () => {
    const picture = { fileId: 'F00000001', title: 'Memory', alt: 'Memory rises.' };
    expect(types({ pictures: [picture] })).toEqual(['section', 'image', 'actions', 'context']);
  });

  it('says that pictures are on their way', () => {
    expect(types({ pendingCount: 2 })).toEqual(['section', 'context', 'actions', 'context']);
    const { blocks } = answerMessage(answer({ pendingCount: 2 }));
    expect(JSON.stringify(blocks[1])).toContain('Drawing 2 pictures…');
  });

  it('puts its own button beside those of the job', () => {
    const own = actions(askButton('Peak', 'peak 8678d8fe'));
    const { blocks } = answerMessage(answer({ tail: [own, context('x')] }));
    expect(blocks.filter(({ type }) => type === 'actions')).toHaveLength(1);
    expect(JSON.stringify(blocks)).toMatch(/"Peak".*"Attach to a thread…"/);
  });

  it('shows what could not be shown as text that marks nothing', () => {
    const { blocks } = answerMessage(answer({ remarks: ['no <!channel> picture'] }));
    expect(JSON.stringify(blocks)).toContain('no &lt;!channel&gt; picture.');
  });
});
