package io.carillon.server.http;

import java.util.function.Supplier;

/**
 * What a path shows.
 *
 * @param contentType of the text
 * @param text made for each request, on a thread of the HTTP side
 */
public record AdminPage(String contentType, Supplier<String> text) {}
