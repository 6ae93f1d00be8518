import { Avatar, Group, Input, Radio, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { LineAccount, LineAccountChange } from '@okaeri/contract/line-accounts/account'
import { changeLineAccount } from '@okaeri/contract/line-accounts/routes'
import { getLineLogin } from '@okaeri/contract/line-login/routes'
import { lineSamples } from '@okaeri/contract/line-messages/samples'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { confirm } from '../../ui/confirm.tsx'
import { NOT_SAVED, useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CopiedAddress } from './copied-address.tsx'

interface Values extends Record<string, unknown> {
  channel_id: string
  /** Secrets are never answered: empty means as saved. */
  channel_secret: string
  token: 'issued' | 'given'
  access_token: string
  login_enabled: boolean
  login_channel_id: string
  login_channel_secret: string
}

const valuesOf = (account: LineAccount): Values => ({
  channel_id: account.channel_id ?? '',
  channel_secret: '',
  token: account.access_token === 'given' ? 'given' : 'issued',
  access_token: '',
  login_enabled: account.login_enabled,
  login_channel_id: account.login_channel_id ?? '',
  login_channel_secret: '',
})

/** Only what the person changed. */
function changeOf(began: Values, values: Values): LineAccountChange {
  const change: LineAccountChange = {}
  if (values.channel_id !== began.channel_id) change.channel_id = values.channel_id.trim() || null
  if (values.login_channel_id !== began.login_channel_id)
    change.login_channel_id = values.login_channel_id.trim() || null
  for (const secret of ['channel_secret', 'login_channel_secret'] as const)
    if (values[secret]) change[secret] = values[secret]
  if (values.token === 'given' && values.access_token) change.access_token = values.access_token
  if (values.token === 'issued' && began.token === 'given') change.access_token = null
  if (values.login_enabled !== began.login_enabled) change.login_enabled = values.login_enabled
  return change
}

export function LineChannels({ account }: { account: LineAccount }) {
  const t = useWords('lineAccounts')
  const { member } = useMerchant()
  /** Messages then reach the friends of another account. */
  const askToMove = () =>
    confirm({
      title: t('move.title'),
      body: t('move.text'),
      confirmLabel: t('move.button'),
      danger: true,
    })
  const form = useEditForm<Values>({
    values: useMemo(() => valuesOf(account), [account]),
    fieldPrefix: 'line_account.',
    emptiesAfterSave: true,
    save: async (values, began) => {
      const change = changeOf(began, values)
      if (change.channel_id && account.channel_id !== null && !(await askToMove())) return NOT_SAVED
      await call(changeLineAccount, { body: { line_account: change } })
      await refresh('line', 'settings')
    },
  })
  const secret = (name: 'channel_secret' | 'login_channel_secret', isSaved: boolean) => ({
    autoComplete: 'off',
    ...(isSaved && { placeholder: t('saved') }),
    ...form.field(name),
  })
  const labels = {
    channel_id: t('messaging.channelId'),
    channel_secret: t('messaging.channelSecret'),
    access_token: t('messaging.token'),
    login_channel_id: t('login.channelId'),
    login_channel_secret: t('login.channelSecret'),
  }
  return (
    <EditBody
      form={form}
      labels={labels}
      readOnlyReason={member.role !== 'owner' && t('ownerOnly')}
      below={<Invitation />}
    >
      {account.trouble && (
        <Notice tone="danger" title={t(`trouble.${account.trouble}.title`)}>
          {t(`trouble.${account.trouble}.text`)}
        </Notice>
      )}
      <EditSection title={t('messaging.title')} description={t('messaging.text')}>
        <Bot account={account} />
        <TextInput label={labels.channel_id} inputMode="numeric" autoComplete="off" {...form.field('channel_id')} />
        <SecretField label={labels.channel_secret} {...secret('channel_secret', account.channel_secret_set)} />
        <Radio.Group label={labels.access_token} {...form.field('token')}>
          <Stack gap="xs" mt="xs">
            <Radio value="issued" label={t('messaging.issued')} description={t('messaging.issuedHelp')} />
            <Radio value="given" label={t('messaging.given')} description={t('messaging.givenHelp')} />
          </Stack>
        </Radio.Group>
        {form.values.token === 'given' && (
          <SecretField
            aria-label={labels.access_token}
            autoComplete="off"
            {...(account.access_token === 'given' && { placeholder: t('saved') })}
            {...form.field('access_token')}
          />
        )}
      </EditSection>
      <EditSection title={t('login.title')} description={t('login.text')}>
        <Switch label={t('login.enabled')} {...form.field('login_enabled', { type: 'checkbox' })} />
        <TextInput
          label={labels.login_channel_id}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('login_channel_id')}
        />
        <SecretField
          label={labels.login_channel_secret}
          {...secret('login_channel_secret', account.login_channel_secret_set)}
        />
        <Callback />
      </EditSection>
    </EditBody>
  )
}

/** Where LINE leads back to after a login. */
function Callback() {
  const t = useWords('lineAccounts')
  const { data } = useQuery(queryOf(getLineLogin, {}))
  if (!data) return null
  return (
    <Input.Wrapper label={t('login.callback')} description={t('login.callbackHelp')} labelElement="div">
      <CopiedAddress label={t('login.callback')} url={data.line_login.callback_url} />
    </Input.Wrapper>
  )
}

/** The two ways to link. Members who may not change the channels need them too. */
function Invitation() {
  const t = useWords('lineAccounts')
  const { data } = useQuery(queryOf(getLineLogin, {}))
  const language = useLanguage()
  if (!data) return null
  const { link_url } = data.line_login
  return (
    <EditSection title={t('login.invite')}>
      <Input.Wrapper
        label={t('login.link')}
        description={t(link_url ? 'login.linkHelp' : 'login.linkNeedsStore')}
        labelElement="div"
      >
        {link_url && <CopiedAddress label={t('login.link')} url={link_url} />}
      </Input.Wrapper>
      <Input.Wrapper
        label={t('login.fromChatTitle')}
        description={t('login.fromChat', { name: lineSamples.link_account[language].name })}
        labelElement="div"
      >
        <TextLink to={paths.lineMessageNew()} fz="sm">
          {t('login.chooseTemplate')}
        </TextLink>
      </Input.Wrapper>
    </EditSection>
  )
}

function Bot({ account }: { account: LineAccount }) {
  const t = useWords('lineAccounts')
  return (
    <Group gap="sm">
      <StatusBadge tone={account.connected ? 'success' : account.trouble ? 'danger' : 'neutral'}>
        {t(account.connected ? 'connected' : 'notConnected')}
      </StatusBadge>
      {account.bot && (
        <Group gap="xs" wrap="nowrap">
          <Avatar src={account.bot.picture_url} size="sm" name={account.bot.name} color="initials" aria-hidden />
          <Text size="sm">{t('messaging.accountOf', { name: account.bot.name, id: account.bot.basic_id })}</Text>
        </Group>
      )}
    </Group>
  )
}
