/**
 * What is agreed with single peers and done where messages come and leave: topology hiding, the
 * form and length of header lines, tolerance.
 */
@NullMarked
package io.carillon.sip.edge;

import org.jspecify.annotations.NullMarked;
