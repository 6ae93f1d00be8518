import { answerCalls } from '../src/kernel/work/thread-calls.ts'

// A thread for tests of kernel/work/threads.ts: its calls end when a test says so, or never.

answerCalls({
  echo: (value: unknown) => value,
  /** Until the test lets it go. */
  hold: (gate: Int32Array) => Atomics.wait(gate, 0, 0),
  spin: () => {
    for (;;);
  },
  hoard: () => {
    const all: string[] = []
    for (;;) all.push(`${all.length}`.repeat(1000))
  },
  fail: () => {
    throw new Error('a mistake of ours')
  },
})
