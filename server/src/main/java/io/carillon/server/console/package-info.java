/** The console: pages for a browser, which talk to the operations of administration. */
@NullMarked
package io.carillon.server.console;

import org.jspecify.annotations.NullMarked;
