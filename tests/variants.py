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
"""
VARIANTS = tuple(map(parse, NAMES.split()))
