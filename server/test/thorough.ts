/** `npm run check:all` tries more of what is drawn by lot than each change waits for. */
export const thorough = process.env['CHECK_ALL'] !== undefined

/** Every third, of neighbouring places the others; all of them for `check:all`. */
export const someOf = <Value>(values: readonly Value[], place: number): Value[] =>
  values.filter((_, index) => thorough || index % 3 === place % 3)
