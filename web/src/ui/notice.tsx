import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

const icons = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle, danger: IconCircleX }

interface NoticeProps {
  tone?: keyof typeof icons
  title?: ReactNode
  children?: ReactNode
  /** A button or link next to the text. */
  action?: ReactNode
}

/** A message on the page. Screen readers read `danger` and `warning` at once. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div
      className={classes.notice}
      data-tone={tone}
      role={tone === 'danger' || tone === 'warning' ? 'alert' : 'status'}
    >
      <Icon className={classes.icon} size={20} aria-hidden />
      <div className={classes.text}>
        {title && <div className={classes.title}>{title}</div>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
