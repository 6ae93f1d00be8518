import { Button, Group, Select, Stack, TagsInput, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { EmailAddress } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import { testSendEmail } from '@okaeri/contract/emails/routes'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { fieldReasonText, useErrorText } from '../../app/reasons.ts'
import { SendingHoldShort } from '../../app/sending-hold.tsx'
import { UnconfirmedAddresses } from '../../app/unconfirmed-addresses.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useReasonText } from '../deliveries/delivery-words.ts'
import { CustomerPicker } from './customer-picker.tsx'
import { type EmailLanguage, useLanguageName } from './email-language.ts'

const Captcha = lazy(() => import('./captcha.tsx').then((module) => ({ default: module.Captcha })))
const MAX_ADDRESSES = 10

/** Why it is refused says what to do, which is not always to try again later. */
const isAnswer = (error: unknown): boolean => error instanceof ApiError && error.status < 500

interface TestSendProps {
  emailId: string
  opened: boolean
  onClose: () => void
  /** The page holds changes that a test would not show. */
  unsaved?: boolean
  customer?: { id: string; name: string } | null
  /** Instead of the email's own. */
  subject?: string | null
  /** The languages of the email's variants. */
  languages?: readonly Locale[]
  /** The one on the page: the choice begins with it. */
  language?: EmailLanguage
}

export function TestSend({ opened, onClose, ...rest }: TestSendProps) {
  const t = useWords('emails')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('test.title')} size="lg">
      <TestSendForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** A try after another, each with an answer to the captcha of its own. */
function useTestSend({
  emailId,
  customer,
  subject,
  languages = [],
  language = null,
}: Omit<TestSendProps, 'opened' | 'onClose'>) {
  const t = useWords('emails')
  const [emails, setEmails] = useState<string[]>(useMerchant().setting.test_emails)
  const [as, setAs] = useState(customer ?? null)
  /** Null: each, or the one the customer gets. */
  const [chosen, setChosen] = useState<Locale | 'base' | null>(language)
  const [captcha, setCaptcha] = useState<string | null>(null)
  const [captchaMissing, setCaptchaMissing] = useState(false)
  /** An answer to the captcha is good for one try. */
  const [attempt, setAttempt] = useState(0)
  const [wrong, setWrong] = useState<{ reason: string; addresses: string[] } | null>(null)

  /** The result of the last try; what could not be sent is listed with its reason. */
  const [tried, setTried] = useState<{ gone: DeliveryView[]; notSent: DeliveryView[] }>({ gone: [], notSent: [] })
  const { gone, notSent } = tried
  /** Known before the button is: a second press comes before the page has been drawn again. */
  const underWay = useRef(false)
  const startOver = () => {
    setCaptcha(null)
    setAttempt((count) => count + 1)
  }

  const send = useMutation({
    mutationFn: (payload: string) =>
      call(testSendEmail, {
        params: { id: emailId },
        body: {
          emails,
          customer_id: as?.id ?? null,
          subject: subject ?? null,
          captcha: payload,
          ...(languages.length > 0 && chosen !== null && { language: chosen }),
        },
      }),
    onSuccess: ({ deliveries }) => {
      void refresh('emails')
      const isKept = ({ status }: DeliveryView) => status === 'skipped' || status === 'failed' || status === 'uncertain'
      setTried({ gone: deliveries.filter((one) => !isKept(one)), notSent: deliveries.filter(isKept) })
      startOver()
    },
    onSettled: () => {
      underWay.current = false
    },
    onError: (error) => {
      startOver()
      const faults =
        error instanceof ApiError ? Object.entries(error.fields).filter(([path]) => path.startsWith('emails')) : []
      const [first] = faults
      if (first) {
        const [, reason] = first
        const named = faults.filter(([, other]) => other === reason).map(([path]) => emails[Number(path.slice(7))])
        setWrong({ reason, addresses: named.filter((one) => one !== undefined) })
      } else if (isAnswer(error)) toast.failed(error)
      else toast.error(t('test.failed'))
    },
  })

  const submit = () => {
    if (underWay.current) return
    const bad = emails.filter((one) => !EmailAddress.safeParse(one).success)
    const isWrong = emails.length === 0 || bad.length > 0
    setWrong(isWrong ? { reason: emails.length === 0 ? 'required' : 'not_an_email', addresses: bad } : null)
    setCaptchaMissing(captcha === null)
    if (isWrong || captcha === null) return
    underWay.current = true
    setTried({ gone: [], notSent: [] })
    send.mutate(captcha)
  }
  return {
    emails,
    setEmails,
    as,
    setAs,
    chosen,
    setChosen,
    setCaptcha,
    captchaMissing,
    setCaptchaMissing,
    attempt,
    wrong,
    setWrong,
    gone,
    notSent,
    send,
    submit,
  }
}
type Trying = ReturnType<typeof useTestSend>

function TestSendForm({ onClose, unsaved, ...about }: Omit<TestSendProps, 'opened'>) {
  const t = useWords('emails')
  const ui = useWords('ui')
  const language = useLanguage()
  const nameOf = useLanguageName()
  const { languages = [] } = about
  const format = useFormat()
  const { setting, testEmails } = useMerchant()
  const trying = useTestSend(about)
  const {
    emails,
    setEmails,
    as,
    setAs,
    chosen,
    setChosen,
    setCaptcha,
    captchaMissing,
    setCaptchaMissing,
    attempt,
    wrong,
    setWrong,
    send,
  } = trying
  return (
    <Stack gap="md">
      <SendingHoldShort />
      <Text size="sm">{t('test.intro')}</Text>
      {unsaved && <Notice tone="warning">{t('test.unsaved')}</Notice>}
      {setting.test_mode &&
        (testEmails.length > 0 ? (
          <Notice>{t('test.testMode', { emails: format.list(testEmails) })}</Notice>
        ) : (
          <Notice tone="warning">{t('test.testModeNone')}</Notice>
        ))}
      <Outcome trying={trying} />
      <TagsInput
        label={t('test.addresses')}
        description={t('test.addressesHelp')}
        withAsterisk
        acceptValueOnBlur
        maxTags={MAX_ADDRESSES}
        value={emails}
        onChange={(next) => {
          setEmails(next)
          setWrong(null)
        }}
        error={
          wrong &&
          (wrong.addresses.length > 0
            ? t('test.wrong', {
                addresses: format.list(wrong.addresses),
                reason: fieldReasonText(wrong.reason, language),
              })
            : fieldReasonText(wrong.reason, language))
        }
        data-autofocus
      />
      <UnconfirmedAddresses purpose="test" emails={emails} />
      <CustomerPicker
        label={t('test.as')}
        placeholder={t('test.asExample')}
        value={as?.id ?? null}
        valueLabel={as?.name}
        onChange={(id, name) => setAs(id === null ? null : { id, name: name ?? '' })}
      />
      {languages.length > 0 && (
        <Select
          label={t('languages.test')}
          allowDeselect={false}
          value={chosen ?? 'each'}
          onChange={(value) => setChosen([...languages, 'base' as const].find((one) => one === value) ?? null)}
          data={[
            { value: 'each', label: t(as ? 'languages.testCustomer' : 'languages.testEach') },
            { value: 'base', label: nameOf(null) },
            ...languages.map((one) => ({ value: one, label: nameOf(one) })),
          ]}
        />
      )}
      <div>
        <Suspense fallback={<Loading lines={2} />}>
          <Captcha
            key={attempt}
            onSolved={(payload) => {
              setCaptcha(payload)
              if (payload) setCaptchaMissing(false)
            }}
          />
        </Suspense>
        {captchaMissing && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={4}>
            {t('test.captchaRequired')}
          </Text>
        )}
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={send.isPending}>
          {trying.gone.length > 0 ? ui('close') : ui('cancel')}
        </Button>
        <Button loading={send.isPending} onClick={trying.submit}>
          {t('test.send')}
        </Button>
      </Group>
    </Stack>
  )
}

/** What became of the last try. */
function Outcome({ trying: { send, wrong, gone, notSent } }: { trying: Trying }) {
  const t = useWords('emails')
  const ui = useWords('ui')
  const d = useWords('deliveries')
  const format = useFormat()
  const errorText = useErrorText()
  const reasonText = useReasonText()
  return (
    <>
      {send.error && !wrong && (
        <Notice tone="danger" title={!isAnswer(send.error) && t('test.failed')}>
          {errorText(send.error)}
        </Notice>
      )}
      {gone.length > 0 && (
        <Notice tone="success" title={t('test.sent', { count: gone.length })}>
          {format.list(gone.map(({ address }) => address ?? ''))}
        </Notice>
      )}
      {notSent.length > 0 && (
        <Notice tone="warning" title={t('test.notSent')}>
          {notSent.map((delivery) => (
            <div key={delivery.id}>
              {ui('labelled', {
                label: delivery.address ?? '',
                value: reasonText(delivery) ?? d(`status.${delivery.status}`),
              })}
            </div>
          ))}
        </Notice>
      )}
    </>
  )
}
