import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Design } from '@okaeri/contract/emails/design'
import { Block } from '@okaeri/contract/emails/design'
import { firstLook } from '@okaeri/contract/emails/starter-design'
import { renderingThread } from '../src/features/email-rendering/index.ts'
import { createThreads } from '../src/kernel/work/threads.ts'
import { median } from './load.ts'

export interface DesignFigures {
  sizeBytes: number
  blocks: number
  /** The first in a new thread, which loads the library and is not warm. */
  firstMs: number
  medianMs: number
  p95Ms: number
  /** Computed for each of these, in the thread and the program: a busy machine changes that less. */
  computedMs: number
  /** The same mail once more, nothing changed. */
  sameMs: number
  /** How long the event loop of the program was held at most meanwhile. */
  heldMs: number
}

const CALLS = 60

/** How long a mail of blocks takes to become HTML, of so many bytes or a little more. */
export async function runDesignsBench(bytes: number): Promise<DesignFigures> {
  const threads = createThreads({ file: renderingThread })
  const compile = async (design: Design): Promise<{ html: string; ms: number }> => {
    const before = performance.now()
    const options = { owner: 'bench', kind: 'asked' } as const
    const html = await threads.run<string>('compileDesign', { design, products: {} }, options)
    return { html, ms: performance.now() - before }
  }
  try {
    const first = await compile(designOf(1, 0))
    let sections = 1
    while (Buffer.byteLength((await compile(designOf(sections, 0))).html) < bytes) sections += 1
    for (let warm = 0; warm < CALLS; warm += 1) await compile(designOf(sections, -warm))
    const loop = monitorEventLoopDelay({ resolution: 1 })
    loop.enable()
    const before = process.cpuUsage()
    const times: number[] = []
    for (let call = 1; call <= CALLS; call += 1) times.push((await compile(designOf(sections, call))).ms)
    const { user, system } = process.cpuUsage(before)
    loop.disable()
    const same: number[] = []
    for (let call = 0; call < CALLS; call += 1) same.push((await compile(designOf(sections, 0))).ms)
    const { html } = await compile(designOf(sections, 0))
    times.sort((a, b) => a - b)
    return {
      sizeBytes: Buffer.byteLength(html),
      blocks: designOf(sections, 0).blocks.length,
      firstMs: first.ms,
      medianMs: median(times),
      p95Ms: times[Math.floor(CALLS * 0.95)] ?? 0,
      computedMs: (user + system) / 1000 / CALLS,
      sameMs: median(same),
      heldMs: loop.max / 1e6,
    }
  } finally {
    await threads.close()
  }
}

/** A newsletter: pictures, headings, words, buttons, columns. `edit`: one word of it is changed. */
function designOf(sections: number, edit: number): Design {
  const blocks = Array.from({ length: sections }, (_, n) => [
    { kind: 'heading', text: n === 0 ? `新茶のお知らせ ${edit}` : `新茶のお知らせ その${n}` },
    {
      kind: 'picture',
      url: `https://shop.test/pictures/${n}.jpg`,
      alt: '新茶の畑',
      link: `https://shop.test/tea/${n}`,
    },
    {
      kind: 'text',
      html: `<p>${'今年も静岡の畑から、香り高い新茶が届きました。'.repeat(6)}</p><p>{{ customer.greeting }}、<b>ぜひ</b><a href="https://shop.test/tea/${n}">ご覧ください</a>。</p>`,
    },
    { kind: 'button', label: '詳しく見る', link: `https://shop.test/tea/${n}` },
    {
      kind: 'columns',
      widths: [6, 6],
      columns: [
        [
          { kind: 'picture', url: 'https://shop.test/a.jpg', alt: '煎茶', space: 12 },
          { kind: 'text', html: '<p>深蒸し煎茶 1,200円</p>', space: 12 },
        ],
        [
          { kind: 'picture', url: 'https://shop.test/b.jpg', alt: '玉露', space: 12 },
          { kind: 'text', html: '<p>玉露 3,400円</p>', space: 12 },
        ],
      ],
    },
    { kind: 'divider' },
  ])
  return {
    language: 'ja',
    look: firstLook,
    blocks: [...blocks.flat(), { kind: 'footer', why: 'ご希望の方にお送りしています。' }].map((block, index) =>
      Block.parse(withIds(block, `b${String(index).padStart(4, '0')}`)),
    ),
  }
}

function withIds(block: object, id: string): object {
  if (!('columns' in block)) return { ...block, id }
  const columns = (block.columns as object[][]).map((column, at) =>
    column.map((inner, index) => withIds(inner, `${id}c${at}${index}`)),
  )
  return { ...block, id, columns }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await runDesignsBench(60_000), null, 2)}\n`)
