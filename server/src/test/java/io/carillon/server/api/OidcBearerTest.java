package io.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.access.Role;
import io.carillon.server.access.TestIssuer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access tokens of an issuer at a running server: operations by their roles, and the audit log. */
class OidcBearerTest {
    @TempDir private static Path temporary;
    private static TestIssuer issuer;
    private static ApiRig rig;

    @BeforeAll
    static void start() throws Exception {
        issuer = new TestIssuer();
        rig =
                new ApiRig(
                        temporary,
                        "directory: admin, oidc: {issuer: '"
                                + issuer.url()
                                + "', client-id: carillon, client-secret: s, url: 'https://sip.example',"
                                + " audience: '"
                                + TestIssuer.AUDIENCE
                                + "', roles-claim: realm_access.roles, roles: {ops: operator}}");
    }

    @AfterAll
    static void stop() {
        rig.close();
        issuer.close();
    }

    private static HttpResponse<String> with(String token, String method, String path)
            throws Exception {
        return rig.send(method, path, null, "Authorization", "Bearer " + token);
    }

    @Test
    void aTokenDoesWhatItsRolesMayAndNoMore() throws Exception {
        String token = issuer.token(issuer.claims("ops").build());

        assertThat(with(token, "GET", "/status").statusCode()).isEqualTo(200);
        assertThat(with(token, "DELETE", "/traces").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = with(token, "GET", "/accounts");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("service-account-ci has operator");
        String audit = rig.as(Role.ADMIN, "GET", "/audit?who=service-account-ci", null).body();
        assertThat(audit)
                .contains("endTraces")
                .contains("oidc-token")
                .contains("refused")
                .doesNotContain(token);
    }

    @Test
    void aTokenThatDoesNotCountIsRefusedInWordsAndWrittenDown() throws Exception {
        String token = issuer.token(issuer.claims("ops").audience("others").build());

        HttpResponse<String> refused = with(token, "GET", "/status");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body()).contains("the token does not count");
        assertThat(rig.as(Role.ADMIN, "GET", "/audit?stage=refused&limit=1000", null).body())
                .contains("the token does not count");
    }
}
