import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { ReactNode } from 'react'
import { eventIcons, type Icon, nodeIcons } from './node-icon.tsx'
import classes from './step-icon.module.css'

interface StepIconProps {
  /** The kind of a step. */
  kind?: string | undefined
  /** The event of a trigger. */
  event?: EventKind
  /** Instead of the icon of its kind. */
  icon?: Icon | undefined
  /** Directly on the background. */
  outlined?: boolean
  title?: string
  children?: ReactNode
}

/** The tile of a step or a trigger. */
export function StepIcon({ kind, event, icon, outlined, title, children }: StepIconProps) {
  const Picture =
    icon ?? (event ? eventIcons[event] : ((nodeIcons as Partial<Record<string, Icon>>)[kind ?? 'end'] ?? nodeIcons.end))
  return (
    <span
      className={classes.tile}
      data-kind={kind}
      data-trigger={event !== undefined || undefined}
      data-outlined={outlined || undefined}
      title={title}
    >
      <Picture size={17} stroke={1.8} aria-hidden />
      {children}
    </span>
  )
}
