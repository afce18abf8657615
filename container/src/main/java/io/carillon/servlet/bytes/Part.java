package io.carillon.servlet.bytes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A final field whose object is a part of the one that has it, and of nothing else: its fields are
 * in the bytes as if they were the owner's own.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Part {}
