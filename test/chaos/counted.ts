/**
 * A port whose calls are counted: `onEffect` is told of each call once it took effect in the world outside and before
 * its caller learns of it. That is where a crash hurts most.
 */
export function counted<Port extends object>(
  name: string,
  port: Port,
  onEffect: (call: string) => void,
): Port {
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        if (!(result instanceof Promise)) return result;
        return result.then((value: unknown) => {
          onEffect(`${name}.${String(key)}`);
          return value;
        });
      };
    },
  });
}
