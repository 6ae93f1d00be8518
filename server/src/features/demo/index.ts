export { connectDemoLine, connectDemoStore, type Demo, DEMO_EMAIL, prepareDemo } from './demo.ts'
