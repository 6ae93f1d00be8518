import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { ReactNode } from 'react'
import { eventIcons, type Icon, nodeIcons } from './node-icon.tsx'
import classes from './step-icon.module.css'

interface StepIconProps {
  /** Of a step. */
  kind?: string | undefined
  /** That starts a scenario. */
  event?: EventKind
  /** Instead of the one of its kind. */
  icon?: Icon | undefined
  /** Where it stands on the ground itself. */
  outlined?: boolean
  title?: string
  children?: ReactNode
}

/** The tile that stands for a step, or for what starts a scenario. */
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
