import fs from 'node:fs'
import path from 'node:path'

/**
 * Which bodies of a lease really left, in a file beside the database's word on which may have. The database clears deliveries a few
 * ahead, so that no connection waits for a commit; a process killed meanwhile would otherwise leave more of them uncertain than it
 * must. The file is written before each body and survives `kill -9` of the process. It is not synced to the disk, so after a restart
 * of the machine it is not believed; nor is it there for another machine. Then everything cleared is uncertain.
 */
export interface Departures {
  /** About to leave. Takes microseconds; throws when it cannot be written, and then the body must not leave. */
  add(deliveryId: string): void
  /** `kept`: the lease could not be let go of, so whoever recovers it needs the file. */
  close(kept: boolean): void
}

/** Machine start and process world this process lives in; null where the system does not tell. */
function whereabouts(): string | null {
  try {
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fs.readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const fileOf = (dataDir: string, merchantId: string, leaseId: number): string =>
  path.join(dataDir, 'departures', `${merchantId}-${leaseId}`)

export function openDepartures(dataDir: string, merchantId: string, leaseId: number): Departures {
  const file = fileOf(dataDir, merchantId, leaseId)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const descriptor = fs.openSync(file, 'w', 0o600)
  fs.writeSync(descriptor, `${process.pid} ${whereabouts() ?? ''}\n`)
  return {
    add: (deliveryId) => fs.writeSync(descriptor, `${deliveryId}\n`),
    close(kept) {
      fs.closeSync(descriptor)
      if (!kept) fs.rmSync(file, { force: true })
    },
  }
}

/**
 * The deliveries of a dead worker's lease that left; null when that is not known here. A worker that is not dead but only slow may
 * still let bodies leave, so its file says nothing yet.
 */
export function readDepartures(dataDir: string, merchantId: string, leaseId: number): Set<string> | null {
  const file = fileOf(dataDir, merchantId, leaseId)
  if (!fs.existsSync(file)) return null
  const [writer = '', ...ids] = fs.readFileSync(file, 'utf8').split('\n')
  const pid = Number(writer.split(' ')[0])
  const here = whereabouts()
  if (!here || writer !== `${pid} ${here}` || !pid || isAlive(pid)) return null
  return new Set(ids.filter(Boolean))
}

export function forgetDepartures(dataDir: string, merchantId: string, leaseId: number): void {
  fs.rmSync(fileOf(dataDir, merchantId, leaseId), { force: true })
}
