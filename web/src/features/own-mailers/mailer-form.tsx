import {
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import {
  MAX_MAILER_CONNECTIONS,
  type MailerKind,
  mailerKinds,
  mailerPresets,
  type OwnMailer,
  OwnMailerInput,
} from '@okaeri/contract/own-mailers/mailer'
import { putOwnMailer } from '@okaeri/contract/own-mailers/routes'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { NOT_SAVED, useEditForm } from '../../ui/edit/edit-form.ts'
import { LeaveGuard } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { Refused } from './refused.tsx'

/** Of Amazon SES, Tokyo first; docs.aws.amazon.com/general/latest/gr/ses.html */
const REGIONS = [
  'ap-northeast-1',
  'ap-northeast-3',
  'ap-northeast-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-south-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'eu-central-1',
  'eu-north-1',
]

interface Values extends Record<string, unknown> {
  kind: MailerKind
  region: string
  host: string
  port: number
  security: 'tls' | 'starttls'
  username: string
  password: string
  connections: number
  returns_to_us: boolean
  feedback_key: string
}

const valuesOf = (account: OwnMailer | null): Values => ({
  kind: account?.kind ?? 'smtp',
  region: /^email-smtp\.([a-z0-9-]+)\./.exec(account?.host ?? '')?.[1] ?? REGIONS[0] ?? '',
  host: account?.kind === 'smtp' ? account.host : '',
  port: account?.port ?? 587,
  security: account?.security ?? 'starttls',
  username: account && account.kind !== 'sendgrid' ? account.username : '',
  password: '',
  connections: account?.connections ?? 5,
  returns_to_us: account?.returns_to_us ?? false,
  feedback_key: account?.feedback_key ?? '',
})

function inputOf({ region, password, feedback_key, ...values }: Values): OwnMailerInput {
  const own = { ...values, ...(password ? { password } : {}), feedback_key: feedback_key.trim() || null }
  if (values.kind === 'smtp') return { ...own, feedback_key: null }
  const { host, user, ...preset } = mailerPresets[values.kind]
  return { ...own, ...preset, host: host(region), username: user ?? values.username, returns_to_us: false }
}

/** Kept only if the server lets us in with it. */
export function MailerForm({ account, onEnd }: { account: OwnMailer | null; onEnd: () => void }) {
  const t = useWords('ownMailers')
  const [answer, setAnswer] = useState<string | null>(null)
  const form = useEditForm<Values>({
    values: valuesOf(account),
    schema: z.preprocess((values) => inputOf(values as Values), OwnMailerInput),
    fieldPrefix: 'own_mailer.',
    save: async (values) => {
      setAnswer(null)
      const tried = await call(putOwnMailer, { body: { own_mailer: inputOf(values) } })
      if (tried.result === 'success') return refresh(putOwnMailer.area)
      setAnswer(tried.answer)
      return NOT_SAVED
    },
    onSaved: onEnd,
  })
  const { values, field, set } = form
  return (
    <Form onSubmit={() => form.submit()}>
      <Stack gap="md">
        <div>
          <Text size="sm" fw={500} id="own-mailer-kind">
            {t('kindLabel')}
          </Text>
          <SegmentedControl
            aria-labelledby="own-mailer-kind"
            value={values.kind}
            onChange={(kind) => set('kind', kind)}
            data={mailerKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          />
        </div>
        {values.kind === 'smtp' && (
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <TextInput label={t('host')} placeholder="smtp.example.jp" autoComplete="off" {...field('host')} />
            <NumberInput label={t('port')} min={1} max={65_535} allowDecimal={false} {...field('port')} />
            <Select
              label={t('security')}
              allowDeselect={false}
              data={(['starttls', 'tls'] as const).map((value) => ({ value, label: t(`securities.${value}`) }))}
              {...field('security')}
            />
          </SimpleGrid>
        )}
        {values.kind === 'ses' && (
          <Select label={t('region')} allowDeselect={false} data={REGIONS} maw={320} {...field('region')} />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {values.kind !== 'sendgrid' && (
            <TextInput
              label={t(values.kind === 'ses' ? 'sesUsername' : 'username')}
              description={values.kind === 'ses' ? t('sesHelp') : undefined}
              autoComplete="off"
              {...field('username')}
            />
          )}
          <SecretField
            label={t(values.kind === 'sendgrid' ? 'apiKey' : 'password')}
            description={values.kind === 'sendgrid' ? t('apiKeyHelp') : account ? t('passwordKept') : undefined}
            autoComplete="new-password"
            {...field('password')}
          />
        </SimpleGrid>
        <NumberInput
          label={t('connections')}
          description={t('connectionsHelp')}
          min={1}
          max={MAX_MAILER_CONNECTIONS}
          allowDecimal={false}
          maw={320}
          {...field('connections')}
        />
        {values.kind === 'smtp' && account?.can_return_to_us && (
          <Checkbox
            label={t('returns')}
            description={t('returnsHelp')}
            {...field('returns_to_us', { type: 'checkbox' })}
          />
        )}
        {values.kind !== 'smtp' && (
          <TextInput
            label={t(values.kind === 'ses' ? 'topic' : 'webhookKey')}
            description={t(values.kind === 'ses' ? 'topicHelp' : 'webhookKeyHelp')}
            autoComplete="off"
            {...field('feedback_key')}
          />
        )}
        {account?.in_use && (
          <Text size="sm" c="dimmed">
            {t('usedHelp')}
          </Text>
        )}
        {answer !== null && <Refused answer={answer} kept={t('failedKept')} />}
        <Group gap="sm">
          <ActionButton
            action={{
              label: t('save'),
              icon: <IconPlugConnected size={18} />,
              primary: true,
              busy: form.saving,
              onClick: () => form.submit(),
            }}
          />
          <ActionButton action={{ label: t('cancel'), onClick: onEnd }} />
        </Group>
      </Stack>
      <LeaveGuard form={form} />
    </Form>
  )
}
