package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.compose.RoutedApplications;
import io.carillon.servlet.feature.identity.Originators;
import io.carillon.servlet.feature.identity.SigningPolicy;
import io.carillon.servlet.feature.security.Proofs;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.Originator;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.port.Provenance;
import io.carillon.sip.header.HeaderName;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.ar.SipApplicationRouter;
import org.jspecify.annotations.Nullable;

/** The applications as composition sees them, and what it hands on from one to the next. */
public final class RouterFeatures implements RoutedApplications {
    private final DeployedApplications deployed;
    private final ContainerConfig config;
    private final FeatureSettings settings;
    private final ApplicationErrors errors;

    public RouterFeatures(
            DeployedApplications deployed,
            ContainerConfig config,
            FeatureSettings settings,
            ApplicationErrors errors) {
        this.deployed = deployed;
        this.config = config;
        this.settings = settings;
        this.errors = errors;
    }

    @Override
    public SipApplicationRouter router() {
        return deployed.router();
    }

    @Override
    public @Nullable Application find(String name) {
        return deployed.find(name);
    }

    @Override
    public int noApplicationStatus() {
        return config.noApplicationStatus();
    }

    @Override
    public int refusalStatus() {
        return config.refusalStatus();
    }

    @Override
    public Provenance provenance(ServletRequest request) {
        IdentityResult verified = request.known().verified();
        Proof proof = Proofs.onward(request);
        boolean asked =
                (request.has(HeaderName.AUTHORIZATION)
                                || request.has(HeaderName.PROXY_AUTHORIZATION))
                        && !Proofs.hasOthersTargets(request);
        SigningPolicy signing = settings.signing();
        Originator originator =
                signing != null && SigningPolicy.concerns(request.method())
                        ? Originators.of(request, signing.trusted())
                        : null;
        return verified == null && proof == null && !asked && originator == null
                ? Provenance.NONE
                : new Provenance(verified, proof, asked ? request.askedUri() : null, originator);
    }

    @Override
    public void failed(SipServletRequest request, Throwable error) {
        errors.applicationFailed(
                "router",
                router().getClass().getName(),
                request.getMethod(),
                request.getCallId(),
                error);
    }
}
