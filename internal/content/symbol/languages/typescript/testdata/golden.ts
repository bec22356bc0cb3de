import { x as y, z } from './x';
import def from "d";
// A comment.
export function parse(text: string, strict = true,): Node[] {
  function local() {}
  return [];
}
export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) {}
function hidden() { return 1; }
export const arrow = async (a: number): Promise<void> => { await a; };
export const LIMIT = 10, NAME = 'n';
export let value: Map<string, number> = new Map();
const config = { a: 1 };
export { config as settings, hidden as default, y };
export * from "./all";
export * as ns from "./ns";
export { one, two as three } from "./other";
export interface Options<T = {}> extends Base {
  a: string; /* c */
  b?(x: T): void,
}
export type Alias = { a: string; b: number } | "x";
export enum Color { Red = 1, Green }
export abstract class Reader extends Base implements I {
  private secret = 1;
  #hash = 2;
  static count: number = 0;
  constructor(private readonly path: string) { super(); }
  @log read(n?: number): string { return ""; }
  protected abstract next(): void;
  get size(): number { return 1; }
}
class Local { m() {} }
export namespace N { export function f(): void {} function g() {} }
export declare const ambient: string;
declare module "m" { export function q(): void; }
declare class Ambient { constructor(a: string); }
export declare namespace Ambient {
  function f(a: string): void;
  const limit: number;
  namespace Inner { interface I { a: string } }
  export namespace Outer { type T = { b: string } }
}
export namespace Written {
  namespace Hidden { export interface I {} }
  interface J {}
}
declare module "m" { interface L { a: string } type M = { c: string } }
function local() { type M = { d: string }; interface N { e: string } }
{ type M = { f: string }; interface N { g: string } }
