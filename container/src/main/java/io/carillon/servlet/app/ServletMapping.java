package io.carillon.servlet.app;

/**
 * Initial requests that match the rule go to the servlet; the first match of an application counts.
 */
public record ServletMapping(String servletName, MappingRule rule) {}
