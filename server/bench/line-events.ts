import { fork } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

// Events of the LINE platform, sent from a process of its own: made in the API's process they would wait for each other.

export interface EventLoad {
  url: string
  path: string
  channelSecret: string
  perMinute: number
}

const CONNECTIONS = 100

/** As many as on a busy day, one by one, of people who write to the account. `stop` answers how long each took to be answered, in ms. */
export function tellEvents(load: EventLoad): { stop(): Promise<number[]> } {
  const child = fork(import.meta.filename, ['tell'])
  const answered = new Promise<number[]>((resolve, reject) => {
    child.once('message', (ms) => resolve(ms as number[]))
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`the program that tells events ended with ${code}`)))
  })
  child.send(load)
  return {
    stop() {
      child.send('stop')
      return answered
    },
  }
}

async function tell({ url, path, channelSecret, perMinute }: EventLoad, isOver: () => boolean): Promise<number[]> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const answeredMs: number[] = []
  const tellOne = async (): Promise<void> => {
    const body = JSON.stringify({ destination: 'U', events: [said(`U${randomBytes(16).toString('hex')}`)] })
    const signature = createHmac('sha256', channelSecret).update(body).digest('base64')
    const start = performance.now()
    const headers = { 'content-type': 'application/json', 'x-line-signature': signature }
    const { statusCode, body: answer } = await pool.request({ path, method: 'POST', headers, body })
    await answer.dump()
    answeredMs.push(performance.now() - start)
    if (statusCode !== 200) throw new Error(`the event was answered with ${statusCode}`)
  }
  const start = performance.now()
  const underWay: Promise<void>[] = []
  while (!isOver()) {
    const due = ((performance.now() - start) / 60_000) * perMinute
    while (underWay.length < due) underWay.push(tellOne())
    await sleep(5)
  }
  await Promise.all(underWay)
  await pool.close()
  return answeredMs
}

const said = (userId: string) => ({
  type: 'message',
  mode: 'active',
  timestamp: Date.now(),
  source: { type: 'user', userId },
  webhookEventId: randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase(),
  deliveryContext: { isRedelivery: false },
  replyToken: randomUUID().replaceAll('-', ''),
  message: { id: String(Date.now()), type: 'text', quoteToken: randomUUID(), text: '在庫はありますか' },
})

if (process.argv[2] === 'tell' && process.send) {
  let isOver = false
  process.once('message', (load: EventLoad) => {
    process.once('message', () => {
      isOver = true
    })
    void tell(load, () => isOver).then((answeredMs) => process.send?.(answeredMs, () => process.exit(0)))
  })
}
