import v8 from 'node:v8'
import vm from 'node:vm'

/** The code of the whole product takes about 60 MB; most of what is above this limit is garbage of bulk work. */
const ENOUGH_BYTES = 110 * 1024 * 1024

/**
 * Call before bulk work: keeps the young generation at its size. V8 lets it grow to 130 MB under batches of short-lived objects, and does not
 * shrink it while they continue.
 */
export const limitYoungGeneration = (): void => v8.setFlagsFromString('--semi-space-growth-factor=1')

/** At least this much garbage between two collections: if more than usual is alive, nothing else would be done. */
const WORTH_BYTES = 32 * 1024 * 1024

let collect: (() => void) | null = null
let keptBytes = 0
let isLeft = false

/** For a process that holds more than the product: its heap is above each limit, and every few batches would collect all of it. */
export const leaveGarbage = (): void => void (isLeft = true)

// Buffers of input and output are outside the heap; they are freed with the objects that hold them.
function usedBytes(): number {
  const { used_heap_size: used, external_memory: outside } = v8.getHeapStatistics()
  return used + outside
}

/**
 * Call between two batches of bulk work. V8 lets garbage of short-lived batches grow to half a gigabyte before it collects; from 110 MB of
 * heap on this collects. Takes about 50 ms, roughly every twenty batches.
 */
export function collectGarbage(enoughBytes = ENOUGH_BYTES): void {
  if (isLeft || usedBytes() < Math.max(enoughBytes, keptBytes + WORTH_BYTES)) return
  if (!collect) {
    v8.setFlagsFromString('--expose-gc')
    collect = vm.runInNewContext('gc') as () => void
  }
  collect()
  keptBytes = usedBytes()
}
