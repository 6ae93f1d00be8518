import { Group, Text } from '@mantine/core'
import { planFeatures, planIncludes } from '@okaeri/contract/merchants/plan-features'
import type { OwnMailer as Account } from '@okaeri/contract/own-mailers/mailer'
import { deleteOwnMailer, getOwnMailer, testOwnMailer, useOwnMailer } from '@okaeri/contract/own-mailers/routes'
import { IconMailForward, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { reasonTexts } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { asked } from '../../ui/confirm.tsx'
import { Facts } from '../../ui/pages/detail-page.tsx'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CopiedAddress } from '../line-accounts/copied-address.tsx'
import { MailerForm } from './mailer-form.tsx'
import { Refused } from './refused.tsx'

/** Settings, Mail: the merchant's own account at a mail server or sending service. */
export function OwnMailer() {
  const t = useWords('ownMailers')
  const language = useLanguage()
  const { member, plan } = useMerchant()
  const query = useQuery(queryOf(getOwnMailer, {}))
  const [editing, setEditing] = useState(false)
  const account = query.data?.own_mailer
  if (account === undefined)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={4} />
  const why = planIncludes(plan, 'mailer_choice')
    ? member.role !== 'owner' && t('ownerOnly')
    : reasonTexts[planFeatures.mailer_choice.reason][language]
  return (
    <EditSection title={t('title')} description={t('text')}>
      {why && (
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      )}
      {editing ? (
        <MailerForm account={account} onEnd={() => setEditing(false)} />
      ) : account ? (
        <Stored account={account} why={why} onEdit={() => setEditing(true)} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
          <div>
            <ActionButton action={{ label: t('setUp'), disabledReason: why, onClick: () => setEditing(true) }} />
          </div>
        </>
      )}
    </EditSection>
  )
}

function Stored({ account, why, onEdit }: { account: Account; why: string | false; onEdit: () => void }) {
  const t = useWords('ownMailers')
  const format = useFormat()
  const { kind, host, port, username, connections, in_use, tested_at, feedback_key, feedback_url } = account
  return (
    <>
      <div>
        <StatusBadge tone={in_use ? 'success' : 'neutral'}>{t(in_use ? 'inUse' : 'notInUse')}</StatusBadge>
      </div>
      <Facts
        items={[
          { label: t('kindLabel'), value: t(`kind.${kind}`) },
          { label: t('host'), value: t('serverFact', { host, port: String(port) }) },
          { label: t('username'), value: username },
          { label: t('connections'), value: format.number(connections) },
          { label: t('testedAt'), value: tested_at ? format.dateTime(tested_at) : t('untested') },
        ]}
      />
      {kind !== 'smtp' && feedback_key === null && <Notice tone="warning">{t('feedbackMissing')}</Notice>}
      {kind !== 'smtp' && <CopiedAddress label={t('feedbackUrl')} url={feedback_url} />}
      <Actions account={account} why={why} onEdit={onEdit} />
    </>
  )
}

function Actions({ account, why, onEdit }: { account: Account; why: string | false; onEdit: () => void }) {
  const t = useWords('ownMailers')
  const language = useLanguage()
  const [tried, setTried] = useState<{ result: 'success' | 'failure'; answer: string } | null>(null)
  const test = useAction(testOwnMailer, { onDone: setTried })
  const use = useAction(useOwnMailer, { done: 'saved' })
  const remove = useAction(deleteOwnMailer, { done: 'deleted' })
  const { host, in_use, tested_at } = account
  const untested = tested_at === null && reasonTexts.own_mailer_untested[language]
  return (
    <>
      {tried?.result === 'failure' && <Refused answer={tried.answer} />}
      {tried?.result === 'success' && <Notice tone="success">{t('tested', { email: tried.answer })}</Notice>}
      <Group gap="sm">
        <ActionButton
          action={{
            label: t('test'),
            icon: <IconMailForward size={18} />,
            primary: tested_at === null,
            busy: test.isPending,
            disabledReason: why,
            onClick: () => test.mutate({}),
          }}
        />
        {in_use ? (
          <ActionButton
            action={{
              label: t('stop'),
              busy: use.isPending,
              disabledReason: why,
              onClick: asked({ title: t('stopTitle'), body: t('stopText'), confirmLabel: t('stop') }, () =>
                use.mutate({ body: { in_use: false } }),
              ),
            }}
          />
        ) : (
          <ActionButton
            action={{
              label: t('use'),
              primary: tested_at !== null,
              busy: use.isPending,
              disabledReason: why || untested,
              onClick: asked({ title: t('useTitle'), body: t('useText', { host }), confirmLabel: t('use') }, () =>
                use.mutate({ body: { in_use: true } }),
              ),
            }}
          />
        )}
        <ActionButton
          action={{ label: t('edit'), icon: <IconPencil size={18} />, disabledReason: why, onClick: onEdit }}
        />
        <ActionButton
          action={{
            label: t('remove'),
            icon: <IconTrash size={18} />,
            danger: true,
            busy: remove.isPending,
            disabledReason: why,
            onClick: asked(
              { title: t('removeTitle'), body: t('removeText'), confirmLabel: t('remove'), danger: true },
              () => remove.mutate({}),
            ),
          }}
        />
      </Group>
    </>
  )
}
