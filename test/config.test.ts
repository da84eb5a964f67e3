import { describe, expect, it } from 'vitest';
import { readConfig, targetOf } from '../src/config.ts';
import { Failure } from '../src/failure.ts';

const faultsOf = (text: string, env = {}) => {
  try {
    readConfig(text, env, 'memprof.yaml');
    return 'no fault';
  } catch (thrown) {
    return thrown instanceof Failure ? thrown.paste : thrown;
  }
};

describe('readConfig', () => {
  it('fills what is not said', () => {
    const config = readConfig('targets: { a: { url: "http://h:8123" } }', {}, 'memprof.yaml');
    expect(config.slack.mode).toBe('socket');
    expect(config.redis.prefix).toBe('{memprof}');
    expect(config.targets.a).toMatchObject({ kind: 'clickhouse', user: 'memprof' });
  });

  it('takes secrets from the environment', () => {
    const text = `targets: { a: { url: "http://h", password: "\${CH_PASSWORD}" } }`;
    const config = readConfig(text, { CH_PASSWORD: 'p$1{x}' }, 'memprof.yaml');
    expect(config.targets.a).toMatchObject({ password: 'p$1{x}' });
  });

  it('lists every fault at once, with line and reason', () => {
    const text = `targets:
  a:
    url: ftp://x
    pasword: 1
  "b c":
    url: http://x
channels:
  C1:
    target: zz
rights:
  - verbs: []
  - verbs: [peak]
    targets: [nope]
subsystems:
  - subsystem: billing
    pattern: "("
slack:
  botToken: \${SLACK_BOT_TOKEN}
`;
    expect(faultsOf(text)).toBe(
      [
        'line 3: targets.a.url: must start with http:// or https://',
        'line 4: targets.a.pasword: memprof knows no setting of this name',
        'line 6: targets.b c: letters, digits, dot, dash and underscore only',
        'line 9: channels.C1.target: no target or group is named zz',
        'line 11: rights.0.verbs: the list is empty',
        'line 13: rights.1.targets.0: no target or group is named nope',
        'line 16: subsystems.0.pattern: is not a regular expression',
        'line 18: slack.botToken: environment variable SLACK_BOT_TOKEN is not set',
      ].join('\n'),
    );
  });

  it('knows Keepers, by their client port, their HTTP control, or both', () => {
    const text = `targets:
  k1: { kind: keeper, fourLetterWords: "keeper-1:9181" }
  k2: { kind: keeper, controlUrl: "http://127.0.0.1:9182", group: keepers }
  k3: { kind: keeper, fourLetterWords: "[::1]:9181", tls: true }`;
    const { targets } = readConfig(text, {}, 'memprof.yaml');
    expect(targets.k1).toEqual({
      kind: 'keeper',
      fourLetterWords: 'keeper-1:9181',
      tls: false,
      readTimeoutMs: 60_000,
    });
    expect(targets.k2).toMatchObject({ controlUrl: 'http://127.0.0.1:9182', group: 'keepers' });
  });

  it('names the line of what is wrong with a Keeper', () => {
    const text = `targets:
  a:
    kind: keeper
  b:
    kind: keeper
    url: http://h:9182
  c:
    kind: zookeeper
  d:
    kind: keeper
    fourLetterWords: http://h:9181
  e:
    kind: keeper
    fourLetterWords: h:99999
  f:
    kind: keeper
    controlUrl: h:9182
    metricsUrl: ftp://h
  g:
    url: http://h:8123
    fourLetterWords: h:9181
`;
    expect(faultsOf(text)).toBe(
      [
        'line 3: targets.a: a keeper needs fourLetterWords (host:port of its client port) or controlUrl',
        'line 5: targets.b: a keeper needs fourLetterWords (host:port of its client port) or controlUrl',
        'line 6: targets.b.url: memprof knows no setting of this name',
        'line 8: targets.c.kind: must be clickhouse or keeper',
        'line 11: targets.d.fourLetterWords: must be host:port: "keeper-1.example:9181"',
        'line 14: targets.e.fourLetterWords: a port is between 1 and 65535',
        'line 17: targets.f.controlUrl: must start with http:// or https://',
        'line 18: targets.f.metricsUrl: must start with http:// or https://',
        'line 21: targets.g.fourLetterWords: memprof knows no setting of this name',
      ].join('\n'),
    );
  });

  it('does not ask the shell for the secrets of Slack', () => {
    const text = `targets: { a: { url: "http://h" } }\nslack: { botToken: "\${NOT_SET}" }`;
    expect(() => readConfig(text, {}, 'memprof.yaml', ['slack', 'redis'])).not.toThrow();
  });

  it('says where YAML itself is broken', () => {
    expect(faultsOf('targets:\n  a: {url: "x\n')).toMatch(/^line \d+: /);
    expect(faultsOf('- a\n- b')).toMatch(/expected object/);
  });

  it('refuses a password inside a URL', () => {
    expect(faultsOf('targets: { a: { url: "http://u:p@h" } }')).toMatch(
      /use the keys user and password/,
    );
  });

  it('accepts an empty file', () => {
    expect(readConfig('', {}, 'memprof.yaml').targets).toEqual({});
  });
});

describe('targetOf', () => {
  it('names the targets that exist', () => {
    const config = readConfig('targets: { a: { url: "http://h" } }', {}, 'memprof.yaml');
    expect(() => targetOf(config, 'b')).toThrow(/no target named b.*The config has a/);
    expect(() => targetOf(config, 'constructor')).toThrow(/no target named constructor/);
  });
});
