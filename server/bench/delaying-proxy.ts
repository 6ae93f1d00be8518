import { connect, createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'

/**
 * A process between a sender and its sink, as far away as its arguments say: bytes stay in order, each way late by half of a round trip.
 * Prints `{"port":…}`; ends with SIGTERM.
 */
function forward(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (chunk) => {
    setTimeout(() => to.write(chunk), delayMs)
  })
  from.on('end', () => setTimeout(() => to.end(), delayMs))
  from.on('error', () => to.destroy())
}

const { values } = parseArgs({
  options: { to: { type: 'string' }, 'round-trip-ms': { type: 'string', default: '5' } },
})
// Timers count whole milliseconds.
const thereMs = Math.ceil(Number(values['round-trip-ms']) / 2)
const backMs = Number(values['round-trip-ms']) - thereMs
const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ host: '127.0.0.1', port: Number(values.to), noDelay: true })
  forward(near, far, thereMs)
  forward(far, near, backMs)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`)
})
