import { Group, Input, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { conflictFields, type Customer, fieldText } from '@okaeri/contract/customers/customer'
import {
  changeCustomer,
  checkCustomer,
  createCustomer,
  getCustomer,
  NewCustomer,
} from '@okaeri/contract/customers/routes'
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
import { type EditForm, useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { countryCode, YEAR_UNKNOWN } from './customer-facts.ts'
import { prefectureChoices, prefectureCode } from './prefectures.ts'
import classes from './customer-edit.module.css'

const CHECK_DELAY_MS = 400

const addressFields = ['zip', 'country', 'province', 'city', 'address1', 'address2', 'company'] as const
type AddressField = (typeof addressFields)[number]

/** Text fields have '' for missing values. */
interface Values extends Record<string, unknown> {
  last_name: string
  first_name: string
  email: string
  phone: string
  language: string
  tags: string[]
  birth: { year: string; month: string; day: string }
  address: Record<AddressField, string>
}
const nothing: Values = {
  last_name: '',
  first_name: '',
  email: '',
  phone: '',
  language: '',
  tags: [],
  birth: { year: '', month: '', day: '' },
  address: { zip: '', country: 'JP', province: '', city: '', address1: '', address2: '', company: '' },
}
const valuesOf = (customer: Customer): Values => ({
  last_name: customer.last_name ?? '',
  first_name: customer.first_name ?? '',
  email: customer.email ?? '',
  phone: customer.phone ?? '',
  language: customer.language ?? '',
  tags: customer.tags,
  birth: birthOf(customer.birthday),
  address: {
    ...nothing.address,
    ...Object.fromEntries(addressFields.map((field) => [field, customer.address?.[field] ?? ''])),
    country: countryCode(customer.address?.country ?? null) ?? customer.address?.country ?? 'JP',
    province: prefectureCode(customer.address?.province ?? null) ?? customer.address?.province ?? '',
  },
})

function birthOf(birthday: string | null): Values['birth'] {
  const [year = '', month = '', day = ''] = birthday?.split('-') ?? []
  return { year: year === YEAR_UNKNOWN ? '' : year, month: month.replace(/^0/, ''), day: day.replace(/^0/, '') }
}
/** An incomplete date is sent unchanged, and the server refuses it. */
function birthdayOf({ year, month, day }: Values['birth']): string | null {
  if (!year.trim() && !month && !day) return null
  return `${year.trim() || YEAR_UNKNOWN}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

interface Change {
  last_name?: string
  first_name?: string
  email?: string | null
  phone?: string | null
  language?: Locale
  tags?: string[]
  birthday?: string | null
  address?: Partial<Record<AddressField, string | null>>
}
/** Only changed fields are checked and sent, because a customer of the store may not match our rules. */
function changesOf(saved: Values, wanted: Values): Change {
  const changed = (name: keyof Values) => JSON.stringify(saved[name]) !== JSON.stringify(wanted[name])
  const parts = addressFields.filter((field) => saved.address[field].trim() !== wanted.address[field].trim())
  // Address fields mean nothing without the country, which is chosen from the start.
  const isNewAddress = addressFields.every((field) => field === 'country' || saved.address[field] === '')
  const sent = isNewAddress && parts.length > 0 ? [...new Set([...parts, 'country' as const])] : parts
  return {
    ...(changed('last_name') && { last_name: wanted.last_name }),
    ...(changed('first_name') && { first_name: wanted.first_name }),
    ...(changed('email') && { email: wanted.email.trim() || null }),
    ...(changed('phone') && { phone: wanted.phone.trim() || null }),
    ...(changed('language') && wanted.language && { language: wanted.language as Locale }),
    ...(changed('tags') && { tags: wanted.tags }),
    ...(changed('birth') && { birthday: birthdayOf(wanted.birth) }),
    ...(sent.length > 0 && {
      address: Object.fromEntries(sent.map((field) => [field, wanted.address[field].trim() || null])),
    }),
  }
}

/** The changed fields when the form was opened. */
const loadedOf = (customer: Customer, change: Change) =>
  Object.fromEntries(
    conflictFields
      .filter((field) => change[field as keyof Change] !== undefined)
      .map((field) => [field, fieldText(customer, field)]),
  )

function useLabels() {
  const t = useWords('customers')
  return {
    last_name: t('lastName'),
    first_name: t('firstName'),
    email: t('email'),
    phone: t('phone'),
    language: t('language'),
    tags: t('tags'),
    birthday: t('birthday'),
    'address.zip': t('zip'),
    'address.country': t('country'),
    'address.province': t('prefecture'),
    'address.city': t('city'),
    'address.address1': t('address1'),
    'address.address2': t('address2'),
    'address.company': t('company'),
    address: t('address'),
  }
}

/** The contract's rule, but a missing address is reported as missing and not as wrong. */
const newCustomer = z
  .custom<Values>()
  .transform((wanted) => ({ ...changesOf(nothing, wanted), email: wanted.email.trim() }))
  .refine(({ email }) => email !== '', { path: ['email'], error: 'required', abort: true })
  .pipe(NewCustomer)

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
      if (made.current) void navigate({ to: paths.customer(made.current.id), replace: true })
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
  // The customer when the form was opened; later data of the page are changes of others.
  const opened = useRef(customer)
  const saved = useMemo(() => valuesOf(opened.current), [])
  const toCustomer = () => void navigate({ to: paths.customer(customer.id) })
  const form = useEditForm<Values>({
    values: saved,
    schema: useMemo(
      () => z.preprocess((values) => changesOf(saved, values as Values), changeCustomer.body as z.ZodType),
      [saved],
    ),
    save: async (values) => {
      const change = changesOf(saved, values)
      const { conflicts } = await call(changeCustomer, {
        params: { id: customer.id },
        body: { ...change, loaded: loadedOf(opened.current, change) },
      })
      // The page it leads to shows both values.
      if (conflicts.length > 0) toast.error(t('conflictKept'))
      else toast.saved()
      await refresh('customers', 'segments')
    },
    saysSaved: false,
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
  // An unsupported language of the store stays until another is chosen.
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
      <AddressSection form={form} />
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
        <Birthday form={form} />
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

function Birthday({ form }: { form: CustomerForm }) {
  const t = useWords('customers')
  const language = useLanguage()
  const error = form.errors['birthday']
  const months = Array.from({ length: 12 }, (_, index) => ({
    value: String(index + 1),
    label: new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, index, 1)),
  }))
  return (
    <Input.Wrapper
      component="fieldset"
      label={t('birthday')}
      labelElement="div"
      description={t('birthdayHelp')}
      error={error && fieldReasonText(error, language)}
      className={classes.group}
      aria-label={t('birthday')}
    >
      <Group gap="xs" mt={4} wrap="nowrap">
        <TextInput
          w={90}
          inputMode="numeric"
          maxLength={4}
          aria-label={t('year')}
          placeholder={t('year')}
          {...form.field('birth.year')}
          error={Boolean(error)}
        />
        <Select
          w={130}
          aria-label={t('month')}
          placeholder={t('month')}
          clearable
          data={months}
          {...form.field('birth.month')}
          value={form.values.birth.month || null}
          onChange={(month) => form.set('birth', { ...form.values.birth, month: month ?? '' })}
        />
        <Select
          w={90}
          aria-label={t('day')}
          placeholder={t('day')}
          clearable
          data={Array.from({ length: 31 }, (_, index) => String(index + 1))}
          {...form.field('birth.day')}
          value={form.values.birth.day || null}
          onChange={(day) => form.set('birth', { ...form.values.birth, day: day ?? '' })}
        />
      </Group>
    </Input.Wrapper>
  )
}

const countries = ['JP', 'US', 'TW', 'HK', 'KR', 'CN', 'SG', 'GB', 'CA', 'AU'] as const

function AddressSection({ form }: { form: CustomerForm }) {
  const t = useWords('customers')
  const language = useLanguage()
  const { field, values } = form
  const { country, province } = values.address
  const known = countries.map((code) => ({ value: code, label: t(`countries.${code}`) }))
  const prefectures = prefectureChoices(language)
  const set = (part: AddressField, value: string) => form.set('address', { ...values.address, [part]: value })
  const text = (part: AddressField, label: string) => (
    <TextInput key={part} label={label} autoComplete="off" {...field(`address.${part}`)} />
  )
  const zip = text('zip', t('zip'))
  const prefecture = country === 'JP' && (
    <Select
      key="province"
      label={t('prefecture')}
      searchable
      clearable
      data={[
        ...prefectures,
        ...(province === '' || prefectures.some(({ value }) => value === province)
          ? []
          : [{ value: province, label: province }]),
      ]}
      {...field('address.province')}
      value={province || null}
      onChange={(value) => set('province', value ?? '')}
    />
  )
  const city = text('city', t('city'))
  return (
    <EditSection title={t('section.address')}>
      <Select
        label={t('country')}
        maw={280}
        allowDeselect={false}
        data={[
          ...known,
          ...(known.some(({ value }) => value === country) || country === ''
            ? []
            : [{ value: country, label: country }]),
        ]}
        {...field('address.country')}
        value={country || null}
        onChange={(value) => form.set('address', { ...values.address, country: value ?? '', province: '' })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {[zip, prefecture, city, text('address1', t('address1')), text('address2', t('address2'))]}
        {text('company', t('company'))}
      </SimpleGrid>
    </EditSection>
  )
}

/** While typing, shows that the address is taken, with a link to its customer. */
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
