import v8 from 'node:v8'
import vm from 'node:vm'

/** With the code of the whole product about 60 MB live; what is above this is mostly what bulk work has thrown away. */
const ENOUGH_BYTES = 88 * 1024 * 1024

let collect: (() => void) | null = null

/**
 * To be called between two batches of bulk work. V8 takes the machine's memory for its own and lets garbage of short-lived batches pile
 * up to half a gigabyte before it looks for it; from 110 MB of heap on it is asked to. Takes about 50 ms then, every twenty batches or so.
 */
export function collectGarbage(): void {
  if (v8.getHeapStatistics().used_heap_size < ENOUGH_BYTES) return
  if (!collect) {
    v8.setFlagsFromString('--expose-gc')
    collect = vm.runInNewContext('gc') as () => void
  }
  collect()
}
