/** What is seen of calls from outside: traces, records and alerts, each at a real receiver. */
@NullMarked
package io.carillon.it.telemetry;

import org.jspecify.annotations.NullMarked;
