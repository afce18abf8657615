package io.carillon.server.apps;

/**
 * One version of an application.
 *
 * @param name as the application router knows it
 * @param version 1 for the first archive under this name, one more for each that replaced it
 * @param state {@code started}: gets new calls; {@code retiring}: its last calls are running
 * @param sessions application sessions now
 * @param archive the file or folder that it came from, without its path
 */
public record ApplicationStatus(
        String name, int version, String state, long sessions, String archive) {}
