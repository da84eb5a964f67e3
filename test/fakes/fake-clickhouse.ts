import { Failure } from '../../src/failure.ts';
import type { ClickHouse, ReadOptions } from '../../src/ports.ts';

/** Raw rows as a server sends them, a text for `bytes` and statements, or the way it fails. */
export type FakeAnswer = readonly object[] | string | Failure;

/** By the name of the query, or by the statement itself; a function sees the settings that came with it. */
export type FakeAnswers = Readonly<
  Record<string, FakeAnswer | ((options: ReadOptions) => FakeAnswer)>
>;

export interface FakeClickHouse extends ClickHouse {
  /** Names of queries and statements as they came. */
  readonly asked: readonly string[];
}

/** A server that knows the given queries; every other one is of a table that it does not have. */
export function createFakeClickHouse(answers: FakeAnswers): FakeClickHouse {
  const asked: string[] = [];
  const answerOf = (name: string, options: ReadOptions): Exclude<FakeAnswer, Failure> => {
    options.signal.throwIfAborted();
    asked.push(name);
    const entry = answers[name] ?? missing(name);
    const answer = typeof entry === 'function' ? entry(options) : entry;
    if (answer instanceof Failure) throw answer;
    return answer;
  };
  return {
    asked,
    async rows(_target, query, params, options) {
      query.params.parse(params);
      const answer = answerOf(query.name, options);
      if (typeof answer === 'string') throw new Error(`${query.name} is answered with a text`);
      return answer.map((row) => query.row.parse(row));
    },
    async statement(_target, sql, options) {
      return String(answerOf(sql, options));
    },
    async *bytes(_target, query, params, options) {
      query.params.parse(params);
      yield Buffer.from(String(answerOf(query.name, options)));
    },
  };
}

function missing(name: string): Failure {
  return new Failure('feature-missing', {
    what: `Could not read what ${name} asks`,
    why: 'this server has no such table',
  });
}
