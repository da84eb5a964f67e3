import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What a Keeper does when a word comes; `keeperWords` has the usual ones. */
export type WordAnswer = (socket: Socket) => void;
export type PageAnswer = (response: ServerResponse, path: string) => void;

export interface FakeKeeper extends AsyncDisposable {
  /** "127.0.0.1:54321": the client port. */
  readonly fourLetterWords: string;
  /** "http://127.0.0.1:54322": the HTTP control. */
  readonly controlUrl: string;
  /** Words and paths as they came. */
  readonly asked: readonly string[];
}

/** Ways to answer a word, the odd ones of TCP included. */
export const wordAnswers = {
  /** As Keeper does: the text, then it closes. */
  text:
    (text: string): WordAnswer =>
    (socket) =>
      socket.end(text),
  /** A word that is not allowed or not known: it closes without an answer. */
  refuse: (socket: Socket) => socket.end(),
  never: () => undefined,
  /** Says it all but stays connected. */
  stayOpen:
    (text: string): WordAnswer =>
    (socket) =>
      socket.write(text),
  bytewise:
    (text: string): WordAnswer =>
    async (socket) => {
      for (const letter of text) {
        socket.write(letter);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      socket.end();
    },
  reset: (socket: Socket) => socket.resetAndDestroy(),
  resetAfter:
    (text: string): WordAnswer =>
    (socket) =>
      socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20)),
  endless: (socket: Socket) => {
    const megabyte = Buffer.alloc(2 ** 20, 'x');
    const write = () => {
      while (!socket.destroyed && socket.write(megabyte));
    };
    socket.on('drain', write);
    write();
  },
} satisfies Record<string, WordAnswer | ((text: string) => WordAnswer)>;

/** Keeper's HTTP control: what is not listed is not there. */
export const pageAnswers = {
  text:
    (body: string | Uint8Array, status = 200): PageAnswer =>
    (response) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body),
  never: () => undefined,
  breakOff: (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '1000' }).write('partial');
    setTimeout(() => response.destroy(), 20);
  },
} satisfies Record<string, PageAnswer | ((body: string, status?: number) => PageAnswer)>;

/** A Keeper that speaks both ways, on ports of its own. */
export async function startFakeKeeper(answers: {
  readonly words?: Readonly<Record<string, WordAnswer>>;
  readonly pages?: Readonly<Record<string, PageAnswer>>;
  /** Instead of all else: what lives on the client port does not even wait for a word. */
  readonly greets?: string;
}): Promise<FakeKeeper> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const words = createServer((socket) => {
    keep(socket);
    if (answers.greets !== undefined) socket.write(answers.greets);
    socket.once('data', (data) => {
      const word = data.toString('latin1');
      asked.push(word);
      (answers.words?.[word] ?? wordAnswers.refuse)(socket);
    });
  });
  const control = createHttpServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.pages?.[path] ?? pageAnswers.text('Not Found', 404);
    answer(response, path);
  }).on('connection', keep);
  return {
    fourLetterWords: `127.0.0.1:${await listen(words)}`,
    controlUrl: `http://127.0.0.1:${await listen(control)}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([close(words), close(control)]);
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
