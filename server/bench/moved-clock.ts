// Loaded before everything else into a process whose time of day is to be wrong: CLOCK_HOURS from the beginning, later what its parent says.
const Real = Date
let offsetMs = Number(process.env['CLOCK_HOURS'] ?? 0) * 3_600_000

globalThis.Date = new Proxy(Real, {
  construct: (_real, given, made) =>
    Reflect.construct(Real, given.length === 0 ? [Real.now() + offsetMs] : given, made as NewableFunction) as Date,
  get: (real, name) => (name === 'now' ? () => real.now() + offsetMs : (Reflect.get(real, name) as unknown)),
})

process.on('message', (message: { clockHours?: number }) => {
  if (message.clockHours !== undefined) offsetMs = message.clockHours * 3_600_000
})
