import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { Scenario, ScenarioUse } from '@okaeri/contract/scenarios/scenario'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { describeReentry, endsOnWords } from '@okaeri/contract/scenarios/words'
import type { Condition } from '@okaeri/contract/segments/condition'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { Card, Facts } from '../../../ui/pages/detail-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { useCategories, useNames } from '../../segments/editor/condition-names.ts'
import { Outline } from '../../segments/editor/outline.tsx'
import { useSegmentUses } from '../../segments/segment-removal.ts'

interface ScenarioSettingsProps {
  scenario: Scenario
  flow: Flow
  uses: readonly ScenarioUse[]
}

/** Who enters, with which settings, and facts about the scenario itself. */
export function ScenarioSettings({ scenario, flow, uses }: ScenarioSettingsProps) {
  const t = useWords('scenarios')
  const segments = useWords('segments')
  const usesOf = useSegmentUses()
  const format = useFormat()
  const language = useLanguage()
  return (
    <>
      <Card title={t('view.settings')}>
        <Facts
          items={[
            { label: t('view.trigger'), value: triggerRules(flow.trigger.kind).words.name[language] },
            {
              label: t('view.condition'),
              value:
                flow.condition === null || (flow.condition.type === 'group' && flow.condition.children.length === 0) ? (
                  t('view.everyone')
                ) : (
                  <EntryCondition condition={flow.condition} />
                ),
            },
            { label: t('view.reentry'), value: describeReentry(flow.reentry, language) },
            {
              label: t('view.endsOn'),
              value:
                flow.ends_on.length === 0
                  ? t('view.never')
                  : flow.ends_on.map((each) => endsOnWords[each][language]).join(language === 'ja' ? '・' : '; '),
            },
            { label: t('view.consent'), value: t(scenario.include_all_customers ? 'view.sent' : 'view.notSent') },
            {
              label: t('view.priority'),
              value: t(scenario.priority === 'always' ? 'form.priorityAlways' : 'form.priorityNormal'),
            },
            {
              label: t('view.holdout'),
              value: `${format.number(scenario.holdout_percent)}${t('form.holdoutSuffix')}`,
            },
          ]}
        />
      </Card>
      <Card title={t('view.about')}>
        <Facts
          items={[
            { label: t('view.mode'), value: t(scenario.mode === 'flow' ? 'view.modeFlow' : 'view.modeForm') },
            { label: t('view.version'), value: t('view.versionOf', { n: scenario.version }) },
            { label: t('createdAt'), value: format.dateTime(scenario.created_at) },
            { label: t('view.enabledAt'), value: scenario.enabled_at && format.dateTime(scenario.enabled_at) },
            uses.length > 0 && {
              label: segments('usedBy'),
              value: usesOf(uses).map(({ label, to }) => (
                <div key={to}>
                  <TextLink to={to}>{label}</TextLink>
                </div>
              )),
            },
          ]}
        />
      </Card>
    </>
  )
}

function EntryCondition({ condition }: { condition: Condition }) {
  const { categories } = useCategories()
  return <Outline conditions={condition} categories={categories} names={useNames(condition)} />
}
