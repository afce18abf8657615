/**
 * Building blocks for pages: calls, call notifications and an event stream as a REST API, and web
 * components for them.
 */
@NullMarked
package io.carillon.web;

import org.jspecify.annotations.NullMarked;
