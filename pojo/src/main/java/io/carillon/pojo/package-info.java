/**
 * SIP applications of plain objects: methods that are mapped to messages by annotations, the same
 * without a framework, under Spring and under CDI. Needs the SIP Servlet API and nothing else.
 */
@NullMarked
package io.carillon.pojo;

import org.jspecify.annotations.NullMarked;
