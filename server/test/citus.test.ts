import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { leftClusters, removeCluster } from './citus.ts'

const beginningOf = (pid: number | undefined): string => {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

test.runIf(fs.existsSync('/proc/self/stat'))(
  'a cluster is left behind once its run is dead, also where another program has the number of that run',
  async () => {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'clusters-'))
    const run = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
    await once(run, 'spawn')
    const of = (pid: number | undefined, began: string): string => {
      const folder = path.join(place, `okaeri-citus-${pid}-${began}-abc`)
      fs.mkdirSync(path.join(folder, 'coordinator'), { recursive: true })
      return folder
    }
    const running = of(run.pid, beginningOf(run.pid))
    const former = of(run.pid, '1')
    fs.mkdirSync(path.join(place, 'okaeri-test-abc'))
    expect(leftClusters(place)).toEqual([former])

    run.kill('SIGKILL')
    await once(run, 'exit')
    expect(leftClusters(place).toSorted()).toEqual([former, running].toSorted())

    // This program's number in postmaster.pid does not make it the server that is stopped.
    fs.writeFileSync(path.join(former, 'coordinator/postmaster.pid'), `${process.pid}\n`)
    for (const left of leftClusters(place)) removeCluster('/nowhere', left)
    expect(fs.readdirSync(place)).toEqual(['okaeri-test-abc'])
    fs.rmSync(place, { recursive: true })
  },
)
