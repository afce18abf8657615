package io.carillon.server.config;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Administrators whose accounts are elsewhere. Off while it names no issuer.
 *
 * @param issuer who knows them
 * @param clientId our name there
 * @param clientSecret our password there
 * @param url of this server for browsers
 * @param audience that access tokens for this server are made for
 * @param rolesClaim where their groups stand
 * @param roles by group
 */
public record OidcSettings(
        @Setting(
                        value =
                                "Issuer of OpenID Connect whose users may administer, as in"
                                        + " https://login.example.com/realms/ops; https, or http on this machine.",
                        standardText = "none")
                @Nullable String issuer,
        @Setting(value = "Name of this server at the issuer.", standardText = "none")
                @Nullable String clientId,
        @Setting(value = "Password of this server at the issuer.", standardText = "none")
                @Nullable Secret clientSecret,
        @Setting(
                        value =
                                "Where browsers reach this server, as in https://sip-a.example:8443; with"
                                        + " /api/v1/oidc/callback behind it this is the redirect URI at the issuer.",
                        standardText = "none")
                @Nullable String url,
        @Setting(
                        value =
                                "Claim aud of the issuer's access tokens that count as bearer tokens here; another one"
                                        + " than client-id. Without it none count.",
                        standardText = "none")
                @Nullable String audience,
        @Setting(
                        value =
                                "Claim of a token that holds a user's groups: a list, or one word. A dot leads into"
                                        + " an object, as in realm_access.roles.",
                        standard = "roles")
                String rolesClaim,
        @Setting(
                        value =
                                "Role of a group, by the group's name: viewer, operator, deployer or admin. Who has no"
                                        + " group of these is let in nowhere.",
                        standardText = "none")
                Map<String, String> roles) {
    /** What has to be there together. */
    public OidcSettings {
        if (issuer != null) {
            if (clientId == null || clientSecret == null || url == null) {
                throw new IllegalArgumentException(
                        "admin.oidc.issuer needs client-id, client-secret and url besides");
            }
            if (clientId.equals(audience)) {
                throw new IllegalArgumentException(
                        "admin.oidc.audience is client-id: then every ID token of a browser would be"
                                + " a bearer token");
            }
            safe("issuer", issuer);
            safe("url", url);
            for (String role : roles.values()) {
                if (!role.matches("viewer|operator|deployer|admin")) {
                    throw new IllegalArgumentException(
                            "admin.oidc.roles: '"
                                    + role
                                    + "' is no role; there are viewer, operator, deployer, admin");
                }
            }
        }
    }

    private static void safe(String key, String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("admin.oidc." + key + " is no URL: " + text, e);
        }
        String host = uri.getHost();
        boolean local = "localhost".equals(host) || "127.0.0.1".equals(host);
        if (host == null
                || !("https".equals(uri.getScheme())
                        || ("http".equals(uri.getScheme()) && local))) {
            throw new IllegalArgumentException(
                    "admin.oidc." + key + " has to begin with https://, not as " + text);
        }
    }
}
