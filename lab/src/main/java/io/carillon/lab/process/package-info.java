/** What is read of processes, of the kernel, and of pairs of measurements. */
@NullMarked
package io.carillon.lab.process;

import org.jspecify.annotations.NullMarked;
