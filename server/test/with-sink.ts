import { afterAll, beforeAll } from 'vitest'
import { type Sink, startSink } from '../bench/smtp-sink.ts'
import { withOkaeri } from './with-okaeri.ts'

/** The mail server of the file, which takes everything and counts it. */
export let sink: Sink
/** The tests of the file share one Okaeri, which sends to it. */
export function withSink(): void {
  beforeAll(async () => {
    sink = await startSink({ port: 0 })
  })
  afterAll(() => sink.close())
  withOkaeri(() => ({ smtpUrl: `smtp://127.0.0.1:${sink.port}` }))
}
export const gotBy = (address: string): number => sink.countByRecipient().get(address) ?? 0
