import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../app/i18n.ts'
import classes from './actions.module.css'
import { ButtonLink, MenuLink } from './links.tsx'

/** An action on an item: a button on its page, an entry in its row's menu. */
export interface Action {
  label: string
  icon?: ReactNode
  /** What it does; or `to`, the page it opens, as a real link that also works in another tab. */
  onClick?: () => void
  to?: string
  /** The query of that page's address. */
  search?: Record<string, unknown>
  /** Why it is not possible now: the button is then disabled and shows the reason on hover and focus. */
  disabledReason?: string | null | false
  danger?: boolean
  /** The one filled button. */
  primary?: boolean
  busy?: boolean
}

/** Focusable while disabled, so that the reason can be read. */
export function ActionButton({ action }: { action: Action }) {
  const off = Boolean(action.disabledReason)
  const look = {
    variant: action.primary ? 'filled' : 'default',
    className: action.danger ? classes.danger : undefined,
    leftSection: action.icon,
  }
  if (action.to && !off)
    return (
      <ButtonLink to={action.to} {...(action.search && { search: action.search })} {...look}>
        {action.label}
      </ButtonLink>
    )
  return (
    <Tooltip
      label={action.disabledReason || ''}
      disabled={!off}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        {...look}
        loading={action.busy ?? false}
        data-disabled={off || undefined}
        aria-disabled={off || undefined}
        onClick={() => off || action.onClick?.()}
      >
        {action.label}
      </Button>
    </Tooltip>
  )
}

/** The menu at the end of a row (or of a crowded header). `name`: the row's name. */
export function ActionMenu({ name, actions }: { name: string; actions: readonly Action[] }) {
  const t = useWords('ui')
  if (actions.length === 0) return null
  // If some entries have icons, those without are aligned with them.
  const noIcon = actions.some(({ icon }) => icon !== undefined) && <span className={classes.noIcon} />
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.dots}
          aria-label={t('menuFor', { name })}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {actions.map((action) => {
          const look = { leftSection: action.icon ?? noIcon, className: action.danger ? classes.danger : undefined }
          return action.to && !action.disabledReason ? (
            <MenuLink key={action.label} to={action.to} {...(action.search && { search: action.search })} {...look}>
              {action.label}
            </MenuLink>
          ) : (
            <Menu.Item
              key={action.label}
              {...look}
              disabled={Boolean(action.disabledReason)}
              onClick={() => action.onClick?.()}
            >
              {action.label}
              {action.disabledReason && <span className={classes.reason}>{action.disabledReason}</span>}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
