package io.carillon.server.config;

import java.util.Map;

/**
 * What the server tells one application.
 *
 * @param contextParams context parameters
 */
public record ApplicationSettings(
        @Setting("Context parameters; they replace those of the application's sip.xml.")
                Map<String, String> contextParams) {}
