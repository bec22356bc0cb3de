// Package workflow leads an agent through phases whose content is served one at
// a time and that are left only with evidence: it reads workflow files and the
// documents of their phases, checks evidence, and keeps the state of a session.
//
// What decides, decides elsewhere: conditions are texts here, for the policies
// to judge.
package workflow
