import type { CSSProperties } from 'react'
import { useWords } from '../../../app/i18n.ts'
import type { DrawnMessage } from '../filled-message.ts'
import { FlexDrawing } from '../flex/flex-drawing.tsx'
import classes from './phone.module.css'
import { Picture } from './picture.tsx'

type Json = Readonly<Record<string, unknown>>
const word = (part: Json, name: string): string => (typeof part[name] === 'string' ? part[name] : '')
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const partsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : [])

/** One message as the chat shows it. Nothing in it leads away. */
export function MessageDrawing({ message }: { message: DrawnMessage }) {
  const t = useWords('lineMessages')
  switch (message.type) {
    case 'text':
      return (
        <div className={classes.bubble}>
          <Emojis text={word(message, 'text')} emojis={partsOf(message['emojis'])} />
        </div>
      )
    case 'image':
      return <Picture url={word(message, 'previewImageUrl')} style={PICTURE} />
    case 'template':
      return isJson(message['template']) ? <Template template={message['template']} /> : null
    case 'flex':
      return <FlexDrawing contents={message['contents']} />
    default:
      return <div className={classes.unreadable}>{t('phone.unreadable')}</div>
  }
}

const PICTURE: CSSProperties = { width: '100%', maxWidth: 240, minHeight: 80, borderRadius: 14, display: 'block' }

/** LINE's own emoji are drawn by it alone; here a face stands for each. */
function Emojis({ text, emojis }: { text: string; emojis: Json[] }) {
  const t = useWords('lineMessages')
  const parts = emojis.map((emoji, at) => ({
    from: at === 0 ? 0 : Number(emojis[at - 1]?.['index']) + 1,
    to: Number(emoji['index']),
    name: `${word(emoji, 'productId')} ${word(emoji, 'emojiId')}`,
  }))
  const last = parts.at(-1)
  return (
    <>
      {parts.map(({ from, to, name }) => (
        <span key={to}>
          {text.slice(from, to)}
          <span className={classes.emoji} role="img" aria-label={t('phone.emoji')} title={name}>
            ☺
          </span>
        </span>
      ))}
      {text.slice(last ? last.to + 1 : 0)}
    </>
  )
}

function Template({ template }: { template: Json }) {
  const shape: CSSProperties = {
    aspectRatio: template['imageAspectRatio'] === 'square' ? '1/1' : '1.51/1',
    objectFit: template['imageSize'] === 'contain' ? 'contain' : 'cover',
  }
  const columns = partsOf(template['columns'])
  switch (template['type']) {
    case 'carousel':
      return (
        <div className={classes.sideways}>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
            <Card key={at} column={column} shape={shape} />
          ))}
        </div>
      )
    case 'image_carousel':
      return (
        <div className={classes.sideways}>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
            <div key={at} className={classes.imageColumn}>
              <Picture
                url={word(column, 'imageUrl')}
                style={{ width: '100%', aspectRatio: '1/1', objectFit: 'cover' }}
              />
              <Caption action={column['action']} />
            </div>
          ))}
        </div>
      )
    case 'confirm':
      return (
        <div className={classes.card}>
          <p>{word(template, 'text')}</p>
          <div className={classes.pair}>
            <Actions actions={template['actions']} />
          </div>
        </div>
      )
    default:
      return <Card column={template} shape={shape} />
  }
}

function Caption({ action }: { action: unknown }) {
  const label = isJson(action) ? word(action, 'label') : ''
  return label === '' ? null : <span className={classes.caption}>{label}</span>
}

function Actions({ actions }: { actions: unknown }) {
  return (
    <>
      {partsOf(actions).map((action, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
        <div key={at} className={classes.action}>
          {word(action, 'label') || '…'}
        </div>
      ))}
    </>
  )
}

function Card({ column, shape }: { column: Json; shape: CSSProperties }) {
  const title = word(column, 'title')
  return (
    <div className={classes.card}>
      {typeof column['thumbnailImageUrl'] === 'string' && (
        <Picture url={column['thumbnailImageUrl']} style={{ ...shape, width: '100%' }} />
      )}
      <div className={classes.cardWords}>
        {title !== '' && <strong>{title}</strong>}
        <p>{word(column, 'text')}</p>
      </div>
      <Actions actions={column['actions']} />
    </div>
  )
}
