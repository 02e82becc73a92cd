// Loaded before a program: timers never fire, so that nothing there ends by a clock.
globalThis.setTimeout = Object.assign(
  () => ({
    ref: () => {},
    unref: () => {},
    hasRef: () => false,
    refresh: () => {},
    [Symbol.toPrimitive]: () => 0,
  }),
  { ...globalThis.setTimeout },
);
