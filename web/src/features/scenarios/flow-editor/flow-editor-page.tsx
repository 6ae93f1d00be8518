import { Paper } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { getFlow, getScenario } from '@okaeri/contract/scenarios/routes'
import { IconMapQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { useErrorText } from '../../../app/reasons.ts'
import { EditPageLoading } from '../../../ui/pages/edit-page.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { Empty } from '../../../ui/states.tsx'
import { FlowEditor } from './flow-editor.tsx'

export default function FlowEditorPage() {
  const t = useWords('flow')
  const errorText = useErrorText()
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const scenario = useQuery(queryOf(getScenario, { params: { id } }))
  const nodes = useQuery(queryOf(getFlow, { params: { id } }))
  const back = { to: paths.scenario(id), label: t('back') }
  if (!scenario.data || !nodes.data) {
    const { error } = scenario.error ? scenario : nodes
    // Spec §8: the scenario was already deleted or cannot be accessed.
    if (error instanceof ApiError && error.status === 404)
      return (
        <PageFrame title={t('title')} back={{ to: paths.scenarios(), label: t('back') }} narrow>
          <Paper withBorder p="lg">
            <Empty icon={IconMapQuestion} title={t('gone')} text={errorText(error)} />
          </Paper>
        </PageFrame>
      )
    return <EditPageLoading title={t('title')} back={back} query={scenario.error ? scenario : nodes} />
  }
  return <FlowEditor key={id} scenario={scenario.data.action} {...nodes.data} />
}
