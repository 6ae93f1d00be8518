import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Customer } from '@okaeri/contract/customers/customer'
import { changeCustomer, checkCustomer, createCustomer, getCustomer } from '@okaeri/contract/customers/routes'
import { isEmailAddress } from '@okaeri/contract/fields'
import { type Locale, locales } from '@okaeri/contract/locale'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { type EditForm, useEditForm } from '../../ui/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'

const CHECK_DELAY_MS = 400

/** Text fields hold '' where the customer has nothing. */
interface Values extends Record<string, unknown> {
  last_name: string
  first_name: string
  email: string
  phone: string
  language: string
  tags: string[]
}
const nothing: Values = { last_name: '', first_name: '', email: '', phone: '', language: '', tags: [] }
const valuesOf = (customer: Customer): Values => ({
  last_name: customer.last_name ?? '',
  first_name: customer.first_name ?? '',
  email: customer.email ?? '',
  phone: customer.phone ?? '',
  language: customer.language ?? '',
  tags: customer.tags,
})
interface Change {
  last_name?: string
  first_name?: string
  email?: string | null
  phone?: string | null
  language?: Locale
  tags?: string[]
}
/** Only what differs from what is saved is checked and sent: a customer from the store need not fit our rules. */
function changesOf(saved: Values, wanted: Values): Change {
  const changed = (name: keyof Values) => JSON.stringify(saved[name]) !== JSON.stringify(wanted[name])
  return {
    ...(changed('last_name') && { last_name: wanted.last_name }),
    ...(changed('first_name') && { first_name: wanted.first_name }),
    ...(changed('email') && { email: wanted.email.trim() || null }),
    ...(changed('phone') && { phone: wanted.phone.trim() || null }),
    ...(changed('language') && wanted.language && { language: wanted.language as Locale }),
    ...(changed('tags') && { tags: wanted.tags }),
  }
}

function useLabels() {
  const t = useWords('customers')
  return {
    last_name: t('lastName'),
    first_name: t('firstName'),
    email: t('email'),
    phone: t('phone'),
    language: t('language'),
    tags: t('tags'),
  }
}

/** The contract's rule, but an address that is missing is told as missing and not as wrong. */
const newCustomer = z.preprocess(
  (values) => {
    const wanted = values as Values
    return { ...changesOf(nothing, wanted), email: wanted.email.trim() }
  },
  z
    .looseObject({ email: z.string().min(1, 'required') })
    .pipe(createCustomer.body as unknown as z.ZodType<unknown, { email: string }>),
)

/** Added in the store first, where one is connected. */
export function CustomerNew() {
  const t = useWords('customers')
  const navigate = useNavigate()
  const { store, mayChange } = useMerchant()
  const made = useRef<Customer | null>(null)
  const form = useEditForm<Values>({
    values: nothing,
    schema: newCustomer,
    save: async (values) => {
      const { customer } = await call(createCustomer, {
        body: { ...changesOf(nothing, values), email: values.email.trim() },
      })
      made.current = customer
      await refresh('customers', 'segments', 'reports')
    },
    onSaved: () => {
      if (made.current) void navigate({ to: paths.customer(made.current.id) })
    },
  })
  const connected = store?.status === 'connected'
  return (
    <EditPage
      title={t('newTitle')}
      description={t(connected ? 'newDescription' : 'newWithoutStore')}
      back={{ to: paths.customers(), label: t('title') }}
      form={form}
      labels={useLabels()}
      saveLabel={t('add')}
      always
      onCancel={() => void navigate({ to: paths.customers() })}
      readOnlyReason={!mayChange && t('viewerMayNot')}
    >
      <Fields form={form} checkEmail />
    </EditPage>
  )
}
export function CustomerEdit() {
  const t = useWords('customers')
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(queryOf(getCustomer, { params: { id } }))
  const customer = query.data?.customer
  if (!customer)
    return <EditPageLoading title={t('editTitle')} back={{ to: paths.customer(id), label: t('title') }} query={query} />
  return <EditCustomer customer={customer} />
}

function EditCustomer({ customer }: { customer: Customer }) {
  const t = useWords('customers')
  const navigate = useNavigate()
  const { store, mayChange } = useMerchant()
  const saved = useMemo(() => valuesOf(customer), [customer])
  const toCustomer = () => void navigate({ to: paths.customer(customer.id) })
  const form = useEditForm<Values>({
    values: saved,
    schema: useMemo(
      () => z.preprocess((values) => changesOf(saved, values as Values), changeCustomer.body as z.ZodType),
      [saved],
    ),
    save: async (values) => {
      await call(changeCustomer, { params: { id: customer.id }, body: changesOf(saved, values) })
      await refresh('customers', 'segments')
    },
    onSaved: toCustomer,
  })
  const inStore = customer.store_customer_id !== null && store?.status === 'connected'
  return (
    <EditPage
      title={t('editTitle')}
      description={inStore ? t('editStore') : undefined}
      back={{ to: paths.customer(customer.id), label: customer.name || customer.email || t('noName') }}
      form={form}
      labels={useLabels()}
      always
      onCancel={toCustomer}
      readOnlyReason={!mayChange && t('viewerMayNot')}
    >
      <Fields form={form} />
    </EditPage>
  )
}

type CustomerForm = EditForm & Pick<ReturnType<typeof useEditForm<Values>>, 'field' | 'values' | 'set'>

function Fields({ form, checkEmail = false }: { form: CustomerForm; checkEmail?: boolean }) {
  const t = useWords('customers')
  const language = useLanguage()
  const { field, values, set } = form
  const last = <TextInput key="last" label={t('lastName')} autoComplete="off" {...field('last_name')} />
  const first = <TextInput key="first" label={t('firstName')} autoComplete="off" {...field('first_name')} />
  const wrongTag = Object.entries(form.errors).find(([path]) => path.startsWith('tags'))?.[1]
  // A language of the store's that is none of ours stays as it is until another is chosen.
  const known = (locales as readonly string[]).includes(values.language) || values.language === ''
  return (
    <>
      <EditSection title={t('section.name')} description={checkEmail && t('noPermissionYet')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>{language === 'ja' ? [last, first] : [first, last]}</SimpleGrid>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="off"
          withAsterisk={checkEmail}
          aria-required={checkEmail}
          {...field('email')}
        />
        {checkEmail && <AlreadyThere email={values.email.trim()} />}
        <TextInput label={t('phone')} type="tel" autoComplete="off" {...field('phone')} />
      </EditSection>
      <EditSection title={t('section.more')}>
        <Select
          label={t('language')}
          description={t('languageHelp')}
          maw={280}
          placeholder={t('languageNone')}
          data={[
            { value: 'ja', label: t('languages.ja') },
            { value: 'en', label: t('languages.en') },
            ...(known ? [] : [{ value: values.language, label: values.language }]),
          ]}
          {...field('language')}
          value={values.language || null}
          onChange={(value) => set('language', value ?? '')}
        />
        <TagsInput
          label={t('tags')}
          description={t('tagsHelp')}
          clearable
          {...field('tags')}
          error={wrongTag && fieldReasonText(wrongTag, language)}
        />
      </EditSection>
    </>
  )
}

/** Says so while typing when the address is taken, with the way to whom it belongs. */
function AlreadyThere({ email }: { email: string }) {
  const t = useWords('customers')
  const [asked] = useDebouncedValue(email, CHECK_DELAY_MS)
  const { data } = useQuery({
    ...queryOf(checkCustomer, { query: { email: asked } }),
    enabled: isEmailAddress(asked),
    refetchInterval: false,
  })
  if (!data?.exists || asked !== email) return null
  return (
    <Notice
      tone="warning"
      action={data.customer_id && <TextLink to={paths.customer(data.customer_id)}>{t('openExisting')}</TextLink>}
    >
      {t('exists')}
    </Notice>
  )
}
