import { expect, test } from 'vitest';
import { endsInCall } from '../../src/symbols/call-sites.ts';

const X86_64 = 62;
const ARM_64 = 183;

test.each([
  ['call rel32', 'e810000000', true],
  ['call *%rax', '90909090ffd0', true],
  ['call *%r11', '90909041ffd3', true],
  ['call *(%rax)', '90909090ff10', true],
  ['call *8(%rax)', '909090ff5008', true],
  ['call *0x100(%rax)', 'ff9000010000', true],
  ['call *(%rsp)', '909090ff1424', true],
  ['call *8(%rax,%rcx,8)', '9090ff54c808', true],
  ['call *0x100(,%rcx,8)', 'ff14cd00010000', true],
  ['call *0x100(%rip)', 'ff1500010000', true],
  ['jmp rel32', '9090e910000000', false],
  ['jmp *%rax', '90909090ffe0', false],
  ['call *%rax, then nop', '90909090ffd090', false],
  ['the distance of a call, cut off', 'e8100000', false],
  ['nothing', '', false],
])('x86-64: %s', (_, hex, isCall) => {
  expect(endsInCall(X86_64, Buffer.from(hex, 'hex'), () => true)).toBe(isCall);
});

test('a direct call must go to code', () => {
  const call = Buffer.from('e8f0ffffff', 'hex');
  expect(endsInCall(X86_64, call, (distance) => distance === -16)).toBe(true);
  expect(endsInCall(X86_64, call, () => false)).toBe(false);
});

test.each([
  ['bl .+16', 0x94000004, 12, true],
  ['bl .-16', 0x97fffffc, -20, true],
  ['blr x8', 0xd63f0100, 0, true],
  ['b .+16', 0x14000004, 12, false],
  ['br x8', 0xd61f0100, 0, false],
  ['ret', 0xd65f03c0, 0, false],
])('64-bit ARM: %s', (_, word, distance, isCall) => {
  const code = Buffer.alloc(4);
  code.writeUInt32LE(word);
  expect(endsInCall(ARM_64, code, (one) => one === distance)).toBe(isCall);
});

test('of other processors nothing is said', () => {
  expect(endsInCall(243, Buffer.from('e810000000', 'hex'), () => true)).toBeUndefined();
});
