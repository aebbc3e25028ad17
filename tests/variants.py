"""Measures as tests run them: every registered one, and every parameter of it at least once."""

from __future__ import annotations

from assay.measures import parse

NAMES = """
    CG CG@3 CG(gain='exp',gains={1:1,2:5,3:2})@4
    DCG DCG@3 DCG(gain='exp')@5 DCG(gains={1:1,2:10,3:100}) DCG(discount='zipf')
    nDCG nDCG@3 nDCG(gain='exp')@5 nDCG(gains={1:1,2:10,3:100})@4 nDCG(discount='none')@3
    nDCG(discount='zipf') nDCG(gains={1:1,2:5,3:2})
    DCG_JK DCG_JK(b=3)@5 DCG_JK(gain='exp',gains={1:2})
    nDCG_JK nDCG_JK@4 nDCG_JK(b=3.5)@5 nDCG_JK(gain='exp') nDCG_JK(gains={1:1,2:10,3:100})
    P@1 P@3 P(rel=2)@5 P@20 R@1 R@3 R(rel=2)@5 F F@3 F(beta=2,rel=2)@5 F(beta=0)
    Fallout Fallout@3 Fallout(N=1000) Fallout(rel=2,N=50)@4 Success@1 Success@3 Success(rel=2)@4
    Rprec Rprec(rel=2) IPrec@0.0 IPrec@0.3 IPrec@1.0 IPrec(rel=2)@0.5 IPrec(cut='round')@0.5
    IPrec(cut='9')@0.25 AP11 AP11(rel=2) AP11(cut='round') AP11(cut='9')
    AP AP@3 AP(rel=2) AP(norm='min')@2 infAP infAP(rel=2)
    Q Q@3 Q(beta=10)@5 Q(rel=2,gain='exp') Q(gains={1:1,2:10,3:100}) Q(norm='R')@2
    RR RR@2 RR(rel=2) Bpref Bpref(rel=2) Accuracy Accuracy@3 Accuracy(rel=2)
    RBP(max=3) RBP(p=0.5,max=5)@4 RBP(rel=2) ERR(max=3) ERR(max=4)@3 ERR(max=3,gain='linear')@5
    nERR(max=3) nERR(max=4)@3 nERR(max=3,gain='linear')@5
    Compat Compat(p=0.5) Compat(normalize=False,p=0.8)
    SetP SetP(rel=2) SetP(relative=True) SetR SetR(rel=2) SetF SetF(beta=0.5,rel=2)
    SetAP SetAP(rel=2) NumQ NumRet NumRet(rel=2) NumRel NumRel(rel=2)
    NumRelRet NumRelRet@3 NumRelRet(rel=2) Judged Judged@3
    nCG nCG@3 nCG(gain='exp')@4 nCG(gains={1:1,2:10,3:100})
    SR SR@3 SR(ideal='retrieved')@2 SR(gain='exp')@3 SR(gains={1:1,2:5,3:2},ideal='retrieved')@3
    MSR MSR@3 MSR(ideal='retrieved') MSR(gain='exp')@3 MSR(gains={1:1,2:5,3:2},ideal='retrieved')
    AvgCG@4 AvgCG@[2..5] AvgCG(gain='exp',gains={3:2})@3
    AvgDCG_JK@4 AvgDCG_JK(b=3.5)@[3..12] AvgDCG_JK(gain='exp',gains={3:2})@3
    AvgnCG@4 AvgnCG@20 AvgnCG@[2..5] AvgnCG(gain='exp',gains={1:1,2:5,3:2})@3
    AvgnDCG_JK@5 AvgnDCG_JK@30 AvgnDCG_JK(b=3)@[3..12] AvgnDCG_JK(gain='exp',gains={3:2})@3
    gP(max=3)@3 gP(max=4,gain='exp')@5 gP(max=3,gains={1:1,2:5,3:10})@4
    gR gR@3 gR(gain='exp')@4 gR(gains={1:1,2:5,3:2})
    WAP WAP@3 WAP(rel=2,gain='exp') WAP(gains={1:1,2:5,3:2})@4 WAP(norm='min')@2
    AGR AGR@3 AGR(levels='retrieved') AGR(rel=2,gain='exp')@5 AGR(gains={1:1,2:5,3:6},norm='min')@2
    AGR(step=0.5)
    NDPM NDPM(unretrieved='worst') NDPMp NDPMp(unretrieved='worst')
    ADM(max=3) ADM(max=4,norm='max') ADM(max=3,N=60) ADM(max=4,norm='max',N=60)
    Rho Rho(unretrieved='worst') TauA TauA(unretrieved='worst') TauB TauB(unretrieved='worst')
    TauC TauC(unretrieved='worst')
    ASL ASL(N=60) ASL(rel=2,unretrieved='worst') ASL(N=70,unretrieved='worst')
    ESL ESL(n=2) ESL(n=3,N=60,count='all') ESL(n=2,rel=2,unretrieved='worst') ESL(n=2,N=60)
    ESRF ESRF(n=2) ESRF(n=3,N=60) ESRF(rel=2,N=60,unretrieved='worst')
    RHL RHL@3 RHL(N=60) RHL(gain='exp',N=60)@4 RHL(gains={1:1,2:5,3:2})
    PRR@0.0 PRR@0.5 PRR@1.0 PRR(N=60)@0.3 PRR(interpolation='intuitive',N=60)@0.3
    PRR(interpolation='intuitive')@0.0 PRR(rel=2,unretrieved='worst')@0.7
    EP@0.0 EP@0.5 EP@1.0 EP(N=60)@0.3 EP(interpolation='intuitive',N=60)@0.3
    EP(interpolation='intuitive')@0.0 EP(rel=2,unretrieved='worst')@0.7
    NormR NormR(N=60) NormR(rel=2,unretrieved='worst') NormP NormP(N=60)
    NormP(rel=2,unretrieved='worst') RankR RankR(N=60) RankR(rel=2,unretrieved='worst')
    LogP LogP(N=60) LogP(rel=2,unretrieved='worst')
    Satisfaction@3 Satisfaction(rel=2,gain='exp')@2 Satisfaction(gains={1:1,2:5,3:2})@2
    Frustration@3 Frustration(rel=2)@2 SFT@3 SFT(w=0.9,rel=2,gain='exp')@2
    SFT(gains={1:1,2:5,3:2})@2
    muAP NDCNG NDCNG@3 NDCNG(max=4)@5
    RSVr1@3 RSVr1(norm='max',short='pad',rel=2)@5 RSVr1(short='retrieved')@5
    RSVe1@3 RSVe1(norm='max',short='pad',rel=2)@5 RSVe1(short='retrieved')@5
    RSVr2@3 RSVr2(norm='max',short='pad',rel=2)@5 RSVr2(short='retrieved')@5
    RSVe2@3 RSVe2(norm='max',short='pad',rel=2)@5 RSVe2(short='retrieved')@5
    RSVr3@3 RSVr3(norm='max',short='pad',rel=2)@5 RSVr3(short='retrieved')@5
    RelRel RelRel(norm='minmax') RelRel(norm='max',gain='exp') RelRel(gains={1:1,2:5,3:2})
    E E@3 E(b=2,rel=2)@5 E(b=0)
    ScaledUtility ScaledUtility(s=2)@5 ScaledUtility(credit=2,debit=1,s=1,rel=2)
    Coverage(known='odd') Coverage(known='odd')@3 Coverage(known='odd',rel=2)@3 Novelty(known='odd')
    Novelty(known='odd',rel=2)@3 RelRecall(wanted=3) RelRecall(wanted='odd',rel=2)@3
    RelP@1 RelP@3 RelP(rel=2)@5 RprecMult(x=0.5) RprecMult(x=2,rel=2) RprecMult(x=0.01)
    MeanIPrec MeanIPrec(levels='0,0.5') MeanIPrec(levels='0,0.3',rel=2,cut='round')
    MeanIPrec(cut='9') MeanIPrec(levels='0.9,0.2,0.5') YAAP YAAP(rel=2) SetFx SetFx(x=0.5,rel=2)
    Utility Utility(a=2,b=-0.5,c=-1,d=0.1,N=60,rel=2) Utility(d=1) Utility(b=0.5)
    Unjudged@1 Unjudged@3 Unjudged@20 NumNonrelRet NumNonrelRet(rel=2)
    BinG BinG(rel=2) G IdealDCG nDCGrel RnDCG TopicRBP TopicRBP(p=0.5) RBPResidual
    RBPResidual(p=0.5) NumPref NumPref(among='implied') NumPref(among='retrieved')
    NumPrefOk NumPrefOk(among='implied') NumPrefOk(among='retrieved')
    PrefSimp PrefSimp(among='implied') PrefSimp(among='retrieved')
    PrefPair PrefPair(among='implied') PrefPair(among='retrieved')
"""
VARIANTS = tuple(map(parse, NAMES.split()))
