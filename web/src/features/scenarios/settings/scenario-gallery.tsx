import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import { createScenario, listActionTemplates } from '@okaeri/contract/scenarios/routes'
import { ScenarioName } from '@okaeri/contract/scenarios/scenario'
import { IconSitemap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { fieldReasonText } from '../../../app/reasons.ts'
import { ActionButton } from '../../../ui/actions.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { FlowPicture } from '../flow-picture/flow-picture.tsx'
import classes from './scenario-gallery.module.css'

const columns = { base: 1, sm: 2, lg: 3 }

/** Spec §2: add (pick a template). */
export function ScenarioGallery() {
  const t = useWords('scenarios')
  const language = useLanguage()
  const { mayChange, plan } = useMerchant()
  const query = useQuery({ ...queryOf(listActionTemplates, {}), refetchInterval: false })
  const templates = query.data?.data
  const categories = [...new Set(templates?.map((each) => each[`category_${language}`]))]
  const readOnly = !mayChange && t('readOnly')

  return (
    <PageFrame
      title={t('gallery.title')}
      description={t('gallery.description')}
      back={{ to: paths.scenarios(), label: t('back') }}
    >
      {templates ? (
        <Stack gap="xl">
          {categories.map((category) => (
            <section key={category} aria-label={category}>
              <Title order={2} size="h4" mb="sm">
                {category}
              </Title>
              <SimpleGrid cols={columns} spacing="md">
                {templates
                  .filter((each) => each[`category_${language}`] === category)
                  .map((each) => {
                    const name = each[`name_${language}`]
                    return (
                      <Paper key={each.classname} withBorder p="lg" component="article" className={classes.card}>
                        <FlowPicture flow={each.flow} />
                        <div className={classes.text}>
                          <Title order={3} size="h5">
                            {name}
                          </Title>
                          <Text size="sm" c="dimmed">
                            {each[`description_${language}`]}
                          </Text>
                        </div>
                        {readOnly ? (
                          <ActionButton action={{ label: t('gallery.choose'), disabledReason: readOnly }} />
                        ) : (
                          <ButtonLink
                            variant="default"
                            to={paths.scenarioCreate(each.classname)}
                            aria-label={t('gallery.chooseName', { name })}
                          >
                            {t('gallery.choose')}
                          </ButtonLink>
                        )}
                      </Paper>
                    )
                  })}
              </SimpleGrid>
            </section>
          ))}
          <BeginEmpty disabledReason={readOnly || (!planIncludes(plan, 'flow_editor') && t('gallery.planForbids'))} />
        </Stack>
      ) : (
        <Paper withBorder p="lg" mih={320}>
          {query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={7} />}
        </Paper>
      )}
    </PageFrame>
  )
}

function BeginEmpty({ disabledReason }: { disabledReason: string | false }) {
  const t = useWords('scenarios')
  const ui = useWords('ui')
  const language = useLanguage()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const create = useAction(createScenario, {
    onDone: ({ action }) => void navigate({ to: paths.scenarioEdit(action.id), search: { mode: 'flow' } }),
  })
  const submit = () => {
    const checked = ScenarioName.safeParse(name)
    setWrong(checked.success ? null : (checked.error.issues[0]?.message ?? 'invalid'))
    if (checked.success) create.mutate({ body: { name: checked.data } })
  }
  return (
    <section aria-label={t('gallery.blankCategory')}>
      <Title order={2} size="h4" mb="sm">
        {t('gallery.blankCategory')}
      </Title>
      <Paper withBorder p="lg">
        <Group gap="lg">
          <IconSitemap size={30} stroke={1.6} aria-hidden className={classes.blank} />
          <div className={classes.text}>
            <Title order={3} size="h5">
              {t('gallery.blankTitle')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('gallery.blankText')}
            </Text>
          </div>
          <ActionButton action={{ label: t('gallery.blankStart'), onClick: () => setOpened(true), disabledReason }} />
        </Group>
      </Paper>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t('gallery.blankTitle')}>
        <Form onSubmit={() => submit()}>
          <TextInput
            label={t('name')}
            description={t('form.nameHelp')}
            placeholder={t('gallery.blankName')}
            withAsterisk
            data-autofocus
            value={name}
            error={wrong && fieldReasonText(wrong, language)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={() => setOpened(false)}>
              {ui('cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('gallery.create')}
            </Button>
          </Group>
        </Form>
      </Dialog>
    </section>
  )
}
