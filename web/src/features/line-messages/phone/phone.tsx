import { Group, Switch } from '@mantine/core'
import { getLineAccount } from '@okaeri/contract/line-accounts/routes'
import type { LineAction } from '@okaeri/contract/line-messages/message'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import type { DrawnMessage } from '../filled-message.ts'
import { MessageDrawing } from './message-drawing.tsx'
import classes from './phone.module.css'

interface PhoneProps {
  messages: readonly DrawnMessage[]
  quickReplies: readonly LineAction[]
  /** A newer drawing is on its way. */
  stale?: boolean
  /** At the left of the switch: who it is shown as. */
  controls?: ReactNode
}

/** A chat on a phone, with the messages as LINE draws them. */
export function Phone({ messages, quickReplies, stale, controls }: PhoneProps) {
  const t = useWords('lineMessages')
  const { setting } = useMerchant()
  const account = useQuery(queryOf(getLineAccount, {}))
  const [dark, setDark] = useState(false)
  return (
    <div aria-busy={stale}>
      <Group gap="sm" mb="sm" justify="space-between" align="end">
        {controls}
        <Switch
          size="sm"
          label={t('phone.dark')}
          checked={dark}
          onChange={(event) => setDark(event.currentTarget.checked)}
        />
      </Group>
      <section className={classes.phone} data-dark={dark || undefined} aria-label={t('phone.label')}>
        <div className={classes.top}>{account.data?.line_account.bot?.name ?? setting.site_name}</div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <div className={classes.chat} tabIndex={0} role="group" aria-label={t('phone.chat')}>
          {messages.map((message, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
            <div key={at} className={classes.message} data-message={message.type}>
              <MessageDrawing message={message} />
            </div>
          ))}
        </div>
        {quickReplies.length > 0 && (
          <div className={classes.quick}>
            {quickReplies.map((reply, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
              <span key={at} className={classes.chip}>
                {reply.label || '…'}
              </span>
            ))}
          </div>
        )}
      </section>
    </div>
  )
}
