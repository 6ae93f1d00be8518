import classes from './status-badge.module.css'

export type Tone = 'neutral' | 'info' | 'progress' | 'success' | 'warning' | 'danger'

/** A status: a dot and a word, readable without color. `progress` is animated, for work in progress. */
export const StatusBadge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={classes.badge} data-tone={tone}>
    <span className={classes.dot} aria-hidden />
    {children}
  </span>
)
