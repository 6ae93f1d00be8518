import { Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type Design, listBlocks } from '@okaeri/contract/emails/design'
import { IconUsers } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { frameDocument } from '../preview/mail-frame.ts'
import classes from './visual-editor.module.css'
import { type Drop, useDragging } from './dragging.ts'
import { useMarks } from './shown-to.tsx'

interface Place {
  top: number
  left: number
  width: number
  height: number
}

const WIDTH_PX = 680

interface CanvasProps {
  design: Design
  /** As the server made it; undefined while it is made for the first time. */
  html: string | undefined
  stale: boolean
  selected: string | null
  onSelect: (id: string | null) => void
  drop: Drop | null
}

/** The mail as it will be seen, with each block's place upon it: to be selected, dragged, and dropped upon. */
export function Canvas({ design, html, stale, selected, onSelect, drop }: CanvasProps) {
  const t = useWords('design')
  const stage = useElementSize()
  const frame = useRef<HTMLIFrameElement>(null)
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(new Map())
  const [height, setHeight] = useState(600)
  const blocks = listBlocks(design.blocks)
  const names = blocks.map(({ id }) => id).join()
  const markOf = useMarks(blocks)

  // What is shown is exchanged within the frame: loaded again, it would flicker at each letter.
  useEffect(() => {
    const document = frame.current?.contentDocument
    if (!document || html === undefined) return undefined
    const next = new DOMParser().parseFromString(frameDocument(html, false), 'text/html')
    document.replaceChild(document.importNode(next.documentElement, true), document.documentElement)
    const measure = () => {
      setHeight(Math.max(300, document.body.scrollHeight))
      setPlaces(placesIn(document, names.split(',')))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(document.body)
    document.addEventListener('load', measure, true)
    return () => {
      watch.disconnect()
      document.removeEventListener('load', measure, true)
    }
  }, [html, names])

  const scale = stage.width > 0 ? Math.min(1, stage.width / WIDTH_PX) : 1
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- A click beside the blocks selects the whole mail, as a button of the list does.
    <div
      ref={stage.ref}
      className={classes.canvas}
      aria-busy={stale || html === undefined}
      onClick={() => onSelect(null)}
    >
      {html === undefined && <Skeleton height={480} />}
      <div
        className={classes.sheet}
        hidden={html === undefined}
        style={{ '--scale': scale, '--height': `${height}px`, height: height * scale } as CSSProperties}
      >
        {/* No script runs in it: the mail's are not allowed to, and ours has none. */}
        <iframe
          ref={frame}
          className={classes.frame}
          title={t('canvas')}
          sandbox="allow-same-origin"
          tabIndex={-1}
          aria-hidden
        />
        <div className={classes.places}>
          {blocks.map(({ id, kind, shown_to }) => {
            const place = places.get(id)
            return (
              place && (
                <BlockPlace
                  key={id}
                  id={id}
                  name={t(`kind.${kind}.name`)}
                  mark={markOf(shown_to)}
                  place={place}
                  isSelected={id === selected}
                  edge={drop?.id === id ? drop.edge : null}
                  onSelect={() => onSelect(id)}
                />
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

const placesIn = (document: Document, ids: readonly string[]): ReadonlyMap<string, Place> =>
  new Map(
    ids.flatMap((id): [string, Place][] => {
      const element = id === '' ? null : document.querySelector(`.b-${id}`)
      if (!element) return []
      const { top, left, width, height } = element.getBoundingClientRect()
      return [[id, { top, left, width, height }]]
    }),
  )

interface BlockPlaceProps {
  id: string
  name: string
  /** Who alone sees it. */
  mark: string | null
  place: Place
  isSelected: boolean
  edge: Drop['edge'] | null
  onSelect: () => void
}
function BlockPlace({ id, name, mark, place, isSelected, edge, onSelect }: BlockPlaceProps) {
  const t = useWords('design')
  const ref = useDragging<HTMLButtonElement>({ drags: { is: 'block', id }, takes: id })
  return (
    <button
      ref={ref}
      type="button"
      className={classes.place}
      style={place}
      aria-label={t('chooseBlock', { name: mark === null ? name : `${name} ${mark}` })}
      data-marked={mark !== null || undefined}
      aria-pressed={isSelected}
      data-selected={isSelected || undefined}
      data-edge={edge ?? undefined}
      onClick={(event) => {
        event.stopPropagation()
        onSelect()
      }}
    >
      {mark !== null && (
        <span className={classes.mark}>
          <IconUsers size={13} aria-hidden />
          <span className={classes.markText}>{mark}</span>
        </span>
      )}
      {isSelected && <span className={classes.tag}>{name}</span>}
    </button>
  )
}
