import { type NodeKindName, nodeKindNames } from '@okaeri/contract/scenarios/node-kinds/index'
import { IconAlertCircle } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import { nodeIcons } from '../../flow-picture/node-icon.tsx'
import icons from '../kind-icon.module.css'
import classes from './canvas.module.css'

/** No kind of step has this name. */
const ALERT = 'alert'
/** The picture of a kind's icon in the style sheet. */
const pictureOf = (kind: string): string => `var(--icon-${kind})`

export const KindPicture = ({ kind }: { kind: NodeKindName }) => (
  <span className={icons.icon} style={{ backgroundImage: pictureOf(kind) }} />
)
/** The mark of a step with problems. */
export const AlertPicture = () => (
  <span className={classes.alertPicture} style={{ backgroundImage: pictureOf(ALERT) }} />
)

/**
 * Turns the icons into pictures, which the cards of this canvas use as backgrounds. As SVG in each card, two hundred icons would be
 * most of what the browser has to sort into layers in every frame of a drag.
 */
export function IconPictures({ colors }: { colors: 'light' | 'dark' }) {
  const sheet = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const canvas = sheet.current?.parentElement
    for (const icon of sheet.current?.querySelectorAll('svg') ?? []) {
      // A picture does not inherit the page's color.
      const drawn = icon.outerHTML.replaceAll('currentColor', getComputedStyle(icon).color)
      const kind = icon.closest<HTMLElement>('[data-kind]')?.dataset.kind
      canvas?.style.setProperty(`--icon-${kind}`, `url("data:image/svg+xml,${encodeURIComponent(drawn)}")`)
    }
  }, [colors])
  return (
    <div ref={sheet} hidden>
      <div data-kind={ALERT}>
        <IconAlertCircle size={18} className={icons.alert} />
      </div>
      {nodeKindNames.map((kind) => {
        const Icon = nodeIcons[kind]
        return (
          <div key={kind} data-kind={kind}>
            <span className={icons.icon}>
              <Icon size={18} stroke={1.8} />
            </span>
          </div>
        )
      })}
    </div>
  )
}
