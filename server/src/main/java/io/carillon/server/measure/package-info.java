/** What is measured about the running process, and the status made of it. */
@NullMarked
package io.carillon.server.measure;

import org.jspecify.annotations.NullMarked;
