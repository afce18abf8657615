package io.carillon.servlet.app;

/**
 * The method annotated {@code @SipApplicationKey}: {@code public static String
 * method(SipServletRequest)}.
 */
public record ApplicationKey(String className, String methodName) {}
