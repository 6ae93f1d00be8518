import v8 from 'node:v8'
import vm from 'node:vm'

/** With the code of the whole product about 60 MB live; what is above this is mostly what bulk work has thrown away. */
const ENOUGH_BYTES = 110 * 1024 * 1024

/**
 * To be called before bulk work: the space of young objects stays as large as it is. V8 lets it grow to 130 MB under batches that all
 * die young, and never gives that back while they come.
 */
export const limitYoungGeneration = (): void => v8.setFlagsFromString('--semi-space-growth-factor=1')

/** At least so much is thrown away between two collections: where more than usual stays alive, they would do nothing else. */
const WORTH_BYTES = 32 * 1024 * 1024

let collect: (() => void) | null = null
let keptBytes = 0

// Outside the heap lie the buffers of what is read and written; they go with the objects that hold them.
function usedBytes(): number {
  const { used_heap_size: used, external_memory: outside } = v8.getHeapStatistics()
  return used + outside
}

/**
 * To be called between two batches of bulk work. V8 takes the machine's memory for its own and lets garbage of short-lived batches pile
 * up to half a gigabyte before it looks for it; from 110 MB of heap on it is asked to. Takes about 50 ms then, every twenty batches or so.
 */
export function collectGarbage(enoughBytes = ENOUGH_BYTES): void {
  if (usedBytes() < Math.max(enoughBytes, keptBytes + WORTH_BYTES)) return
  if (!collect) {
    v8.setFlagsFromString('--expose-gc')
    collect = vm.runInNewContext('gc') as () => void
  }
  collect()
  keptBytes = usedBytes()
}
